/** A part of a multipart form. Its header names are in lower case. */
export interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly content: Uint8Array
}

/** The parts of a multipart body (RFC 2046), or undefined if it is malformed. */
export function parseMultipart(bytes: Uint8Array, boundary: string): Part[] | undefined {
  // One character for each byte, so that positions are the same.
  const text = new TextDecoder('latin1').decode(bytes)
  const delimiter = `\r\n--${boundary}`
  const parts: Part[] = []
  // The first delimiter may be at the very start, without a line break before it.
  let start = text.startsWith(delimiter.slice(2)) ? delimiter.length - 2 : endOf(text, delimiter, 0)
  while (start !== undefined) {
    if (text.startsWith('--', start)) return parts
    const lineEnd = endOf(text, '\r\n', start)
    if (lineEnd === undefined || text.slice(start, lineEnd).trim() !== '') return undefined
    const isWithoutHeaders = text.startsWith('\r\n', lineEnd)
    const contentStart = isWithoutHeaders ? lineEnd + 2 : endOf(text, '\r\n\r\n', lineEnd)
    // The line break before the content may belong to the delimiter, if the content is empty.
    const end = contentStart === undefined ? -1 : text.indexOf(delimiter, contentStart - 2)
    if (contentStart === undefined || end < 0) return undefined
    const headers = parseHeaders(utf8.decode(bytes.subarray(lineEnd, contentStart)))
    parts.push({ headers, content: bytes.subarray(contentStart, Math.max(contentStart, end)) })
    start = end + delimiter.length
  }
  return undefined
}

const utf8 = new TextDecoder()

/** The index after a text. */
function endOf(text: string, searched: string, from: number): number | undefined {
  const index = text.indexOf(searched, from)
  return index < 0 ? undefined : index + searched.length
}

function parseHeaders(text: string): Record<string, string> {
  const headers = text.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(':')
    return colon < 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
  })
  return Object.fromEntries(headers)
}

/** A parameter of a header, such as `name` in `form-data; name="photo"`. */
export function headerParameter(header: string, name: string): string | undefined {
  for (const [, key = '', quoted, plain = ''] of header.matchAll(PARAMETER)) {
    if (key.toLowerCase() === name) return quoted === undefined ? plain.trim() : unescapeQuoted(quoted)
  }
  return undefined
}

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** Browsers write `"` as `%22`, others as `\"`. */
function unescapeQuoted(text: string): string {
  return text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
}
