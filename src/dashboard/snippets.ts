import { stringifyJson } from '../lib/json.js'
import { type Admin, noResponse } from './api.js'

type JournalEntry = Admin['JournalEntry']

/** Headers that curl and fetch set themselves. */
const CLIENT_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|origin|referer|keep-alive|te|expect|dnt|priority|pragma|cache-control|sec-.*)$/

/** The journal's placeholder for a secret. */
const HIDDEN = '(hidden)'

/** The path and query, as close to the original as the journal allows. */
export function targetOf({ path, query }: Pick<JournalEntry, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((item) => [name, toText(item)]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyJson(value) ?? '')
}

/**
 * Whether a recorded body is a JSON value. The journal records any other body as text, so a string can be either. It is a
 * JSON string only if the mock rejected it for its type.
 */
export function isJson({ response }: JournalEntry, { body, cut }: Admin['JournalMessage']): boolean {
  if (cut || typeof body !== 'string') return !cut
  return (response.body as { code?: unknown } | undefined)?.code === 'INVALID_REQUEST'
}

/** The text of a recorded body, if there is one. */
export function bodyText(entry: JournalEntry, message: Admin['JournalMessage']): string | undefined {
  if (message.body === undefined) return undefined
  return isJson(entry, message) ? stringifyJson(message.body) : String(message.body)
}

/** The parts of a snippet. The remarks say what it cannot repeat. */
function toSnippet(base: string, entry: JournalEntry) {
  const headers = Object.entries(entry.request.headers).filter(([name]) => !CLIENT_HEADERS.test(name))
  const remarks = headers
    .filter(([, value]) => value === HIDDEN)
    .map(([name]) => `The journal hides the header ${name}. Add it yourself.`)
  if (entry.request.cut) remarks.push('The body is truncated in the journal.')
  return {
    url: base + targetOf(entry),
    headers: headers.filter(([, value]) => value !== HIDDEN),
    body: bodyText(entry, entry.request),
    remarks,
  }
}

export function toCurl(base: string, entry: JournalEntry): string {
  const { url, headers, body, remarks } = toSnippet(base, entry)
  const method = entry.method === 'HEAD' ? '--head' : `-X ${quoteForShell(entry.method)}`
  const parts = [
    `curl ${method} --globoff --path-as-is ${quoteForShell(url)}`,
    // curl's notation for a header with an empty value is a semicolon.
    ...headers.map(([name, value]) => `-H ${quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ]
  return [...remarks.map((remark) => `# ${remark}`), parts.join(' \\\n  ')].join('\n')
}

/** Quotes text as a single word for a POSIX shell. */
export function quoteForShell(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

export function toFetch(base: string, entry: JournalEntry): string {
  const { url, headers, body, remarks } = toSnippet(base, entry)
  const args = [JSON.stringify(url), ...toInit(entry.method, headers, body)]
  const call = `const response = await fetch(${args.join(', ')})`
  return [...remarks.map((remark) => `// ${remark}`), call].join('\n')
}

/** The second argument of fetch, if there is one. */
function toInit(method: string, headers: readonly [string, string][], body: string | undefined): string[] {
  const init = {
    ...(method !== 'GET' && { method }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(body !== undefined && { body }),
  }
  return Object.keys(init).length === 0 ? [] : [JSON.stringify(init, null, 2)]
}

/** Statements that send a request, for a test in which `petstore` is the mock. */
function toTest(source: string, entry: JournalEntry): string {
  const { headers, body, remarks } = toSnippet('', entry)
  const args = [JSON.stringify(targetOf(entry)), ...toInit(entry.method, headers, body)]
  const title = `${entry.method} ${entry.path} returns ${entry.status}`
  return [
    `import { expect, test } from '${source}'`,
    '',
    `test(${JSON.stringify(title)}, async ({ petstore }) => {`,
    ...remarks.map((remark) => `  // ${remark}`),
    `  const response = await petstore.fetch(${args.join(', ')})`.replaceAll('\n', '\n  '),
    `  expect(response.status).toBe(${entry.status})`,
    '})',
  ].join('\n')
}

/** The ways to copy a request: their names, and what they write. */
export const SNIPPETS: readonly (readonly [name: string, toText: (base: string, entry: JournalEntry) => string])[] = [
  ['curl', toCurl],
  ['fetch', toFetch],
  ['vitest', (_, entry) => toTest('petstore-mock/vitest', entry)],
  ['Playwright', (_, entry) => toTest('petstore-mock/playwright', entry)],
]

/** Sends a recorded request once more, as far as the journal has it. */
export async function resend(base: string, entry: JournalEntry): Promise<Response> {
  const { url, headers, body } = toSnippet(base, entry)
  try {
    return await fetch(url, { method: entry.method, headers, ...(body !== undefined && { body }) })
  } catch {
    throw noResponse()
  }
}
