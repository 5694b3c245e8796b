// @ts-expect-error jsdom has no types of its own
import { JSDOM } from 'jsdom'

/** Parses XML as strictly as a browser. Throws if it is not well-formed. */
export function parseXml(text: string): Document {
  const { DOMParser } = (new JSDOM('') as { window: typeof globalThis }).window
  const document = new DOMParser().parseFromString(text, 'application/xml')
  const parserError = document.querySelector('parsererror')
  if (parserError) throw new Error(parserError.textContent ?? 'The XML is not well-formed.')
  return document
}
