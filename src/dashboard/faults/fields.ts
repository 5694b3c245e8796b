import { HEADER_NAME, HEADER_VALUE, RESERVED_HEADERS } from '../../engine/contract/header-rules.js'
import { parseJson } from '../../lib/json.js'
import type { Admin } from '../api.js'
import type { Check } from '../components/problems.js'

type Headers = Admin['GivenHeaders']

/** The JSON value in a form field, or undefined if the field is empty. Throws a SyntaxError. */
export function readJsonField(text = ''): unknown {
  return text.trim() === '' ? undefined : parseJson(text)
}

export const checkJson: Check = (text) => {
  try {
    readJsonField(text)
    return undefined
  } catch (error) {
    return `this is not valid JSON. Names and text need double quotes. (${(error as Error).message})`
  }
}

/** The headers in a form field, one on each line, or undefined if the field is empty. A repeated name gets a list. */
export function readHeadersField(text = ''): Headers | undefined {
  const lines = linesOf(text)
  if (lines.length === 0) return undefined
  /** By name in lower case. */
  const headers = new Map<string, [name: string, ...values: string[]]>()
  for (const line of lines) {
    const [name, value] = splitLine(line)
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? ([name] as const)), value])
  }
  return Object.fromEntries(
    Array.from(headers.values(), ([name, ...values]) => [name, values.length > 1 ? values : (values[0] as string)]),
  )
}

function linesOf(text: string): string[] {
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
}

/** The name is empty if the line has none. */
function splitLine(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]+):(.*)$/.exec(line)?.map((part) => part.trim()) ?? []
  return [name, value]
}

export const checkHeaders: Check = (text, { raw }) => {
  const lines = linesOf(text)
  const names = lines.map((line) => splitLine(line)[0].toLowerCase())
  for (const [index, line] of lines.entries()) {
    const [name, value] = splitLine(line)
    const isSetByMock =
      RESERVED_HEADERS.includes(name.toLowerCase()) && !(raw !== undefined && /^content-type$/i.test(name))
    const isRepeated = names.indexOf(names[index] as string) < index && !/^set-cookie$/i.test(name)
    if (name === '') return `write each header on its own line as "Name: value". This line is different: ${line.trim()}`
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) return `HTTP does not allow this header: ${line.trim()}`
    if (isSetByMock) return `leave out ${name}. Only the mock may set it.`
    if (isRepeated) return `write ${name} once. Only Set-Cookie may be repeated.`
  }
  return undefined
}

/** The text of headers in a form field. */
export function headersToText(headers: Headers = {}): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`))
    .join('\n')
}
