// @ts-expect-error it comes without types, and none are worth a package for one test
import { JSDOM } from 'jsdom'

/** Reads XML as strictly as a browser does: what is not well-formed has no elements but the complaint about it. */
export function parseXml(text: string): Document {
  const { DOMParser } = (new JSDOM('') as { window: typeof globalThis }).window
  const document = new DOMParser().parseFromString(text, 'application/xml')
  const complaint = document.querySelector('parsererror')
  if (complaint) throw new Error(complaint.textContent ?? 'not well-formed')
  return document
}
