import { codeOfStatus, reasonOfStatus } from '../contract/http-statuses.js'

/** The value of an enum that fits an error best: the one with most words of its code. Undefined if none has one. */
export function nearestValue(values: readonly unknown[], code: string, status: number): unknown {
  if (values.includes(status)) return status
  const wanted = wordsOf(`${code} ${codeOfStatus(status)} ${reasonOfStatus(status)} ${RELATED[status] ?? ''}`)
  if (status >= 500) wanted.push(...SERVER)
  let best: { readonly value: unknown; readonly score: number } = { value: undefined, score: 0 }
  for (const value of values) {
    const score = wordsOf(String(value)).filter((word) => wanted.some((other) => isRelated(word, other))).length
    if (score > best.score) best = { value, score }
  }
  return best.value
}

const RELATED: Readonly<Record<number, string>> = {
  400: 'invalid request bad validation input parameter',
  401: 'unauthorized unauthenticated authentication auth credentials',
  403: 'forbidden permission access denied',
  404: 'not found missing unknown',
  409: 'conflict exists duplicate',
  422: 'invalid request validation unprocessable',
  429: 'rate limit too many throttled',
}

const SERVER = ['server', 'internal', 'api', 'unavailable', 'unknown']

function wordsOf(text: string): string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []
  return words.filter((word) => word !== 'error')
}

const isRelated = (a: string, b: string) =>
  a === b || (a.length > 3 && b.startsWith(a)) || (b.length > 3 && a.startsWith(b))
