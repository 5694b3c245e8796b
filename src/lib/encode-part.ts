/** Encodes a text for a path or a query. JSON texts can have half a character, which neither can have. */
export function encodePart(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
}
