import { stringifyJson } from '../lib/json.js'

const MAX_SHOWN = 120

/** A value as JSON, shortened. */
export function show(value: unknown): string {
  return shorten(value === undefined ? 'nothing' : (stringifyJson(value) ?? String(value)))
}

export function showHeader(value: string | null): string {
  return value === null ? NO_HEADER : shorten(value)
}

export const NO_HEADER = 'no such header'

export function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
