import { stringifyJson } from '../lib/json.js'

/** Told of each thing in which an answer is not as expected. */
export type Differ = (aspect: string, expected: string, received: string) => void

const MOST_SHOWN = 120

/** A value as JSON, in a few words of it. */
export function show(value: unknown): string {
  return shorten(value === undefined ? 'nothing' : (stringifyJson(value) ?? String(value)))
}

export function showHeader(value: string | null): string {
  return value === null ? 'no such header' : shorten(value)
}

export function shorten(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
