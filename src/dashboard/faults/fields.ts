import { parseJson } from '../../lib/json.js'
import { type Admin, ApiFailure } from '../api.js'

type Headers = Admin['GivenHeaders']

/** The JSON value in a form field, or undefined if the field is empty. */
export function readJson(field: string, label: string, text = ''): unknown {
  if (text.trim() === '') return undefined
  try {
    return parseJson(text)
  } catch (error) {
    const message = `${label} is not valid JSON: ${(error as Error).message}. Names and text need double quotes.`
    throw new ApiFailure('NOT_JSON', message, 0, field)
  }
}

/** The headers in a form field, one on each line, or undefined if the field is empty. A repeated name gets a list. */
export function readHeaders(field: string, text = ''): Headers | undefined {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  if (lines.length === 0) return undefined
  /** By name in lower case. */
  const headers = new Map<string, [name: string, ...values: string[]]>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):(.*)$/.exec(line)?.map((part) => part.trim()) ?? []
    if (name === '') {
      const message = `Write each header on its own line as "Name: value". This line is different: ${line.trim()}`
      throw new ApiFailure('NOT_HEADERS', message, 0, field)
    }
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? ([name] as const)), value])
  }
  return Object.fromEntries(
    Array.from(headers.values(), ([name, ...values]) => [name, values.length > 1 ? values : (values[0] as string)]),
  )
}

/** The text of headers in a form field. */
export function headersToText(headers: Headers = {}): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`))
    .join('\n')
}
