import { stringifyJson } from '../lib/json.js'
import type { JournalEntry, JournalMessage } from './types.js'

/** What the client writes by itself. */
const WRITTEN_BY_CLIENT =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|origin|referer|keep-alive|te|expect|dnt|priority|pragma|cache-control|sec-.*)$/

const HIDDEN = '(hidden)'

/** The path with its query, as close to what was sent as the journal tells. */
export function targetOf({ path, query }: Pick<JournalEntry, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => [name, toText(item)]),
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyJson(value) ?? '')
}

/**
 * Whether the body of a message is the value of a JSON document. The journal has the text of one that is none, and a
 * text can be both: only where the store has found fault with the value was there one.
 */
export function isJson({ response }: JournalEntry, { body, cut }: JournalMessage): boolean {
  if (cut || typeof body !== 'string') return !cut
  return (response.body as { code?: unknown } | undefined)?.code === 'INVALID_REQUEST'
}

/** The body as text; undefined where there was none. */
export function bodyText(entry: JournalEntry, message: JournalMessage): string | undefined {
  if (message.body === undefined) return undefined
  return isJson(entry, message) ? stringifyJson(message.body) : String(message.body)
}

interface Repeatable {
  readonly url: string
  readonly headers: [string, string][]
  readonly body: string | undefined
  /** What the snippet cannot repeat. */
  readonly remarks: string[]
}

function repeat(base: string, entry: JournalEntry): Repeatable {
  const given = Object.entries(entry.request.headers).filter(([name]) => !WRITTEN_BY_CLIENT.test(name))
  const remarks = given
    .filter(([, value]) => value === HIDDEN)
    .map(([name]) => `the journal hides the header ${name}: add it yourself`)
  if (entry.request.cut) remarks.push('the journal keeps only the beginning of the body')
  return {
    url: base + targetOf(entry),
    headers: given.filter(([, value]) => value !== HIDDEN),
    body: bodyText(entry, entry.request),
    remarks,
  }
}

export function toCurl(base: string, entry: JournalEntry): string {
  const { url, headers, body, remarks } = repeat(base, entry)
  const method = entry.method === 'HEAD' ? '--head' : `-X ${quoteForShell(entry.method)}`
  const parts = [
    `curl ${method} --globoff --path-as-is ${quoteForShell(url)}`,
    // A header without a value is written with a semicolon.
    ...headers.map(([name, value]) => `-H ${quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ]
  return [...remarks.map((remark) => `# ${remark}`), parts.join(' \\\n  ')].join('\n')
}

/** One word for a POSIX shell, whatever is in it. */
export function quoteForShell(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

export function toFetch(base: string, entry: JournalEntry): string {
  const { url, headers, body, remarks } = repeat(base, entry)
  const members = [
    ...(entry.method === 'GET' ? [] : [`method: ${JSON.stringify(entry.method)}`]),
    ...(headers.length === 0 ? [] : [`headers: ${indent(JSON.stringify(Object.fromEntries(headers), null, 2))}`]),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
  ]
  const options = members.length === 0 ? '' : `, {\n  ${members.join(',\n  ')},\n}`
  const call = `const response = await fetch(${JSON.stringify(url)}${options})`
  return [...remarks.map((remark) => `// ${remark}`), call].join('\n')
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
