/** What stands between commas; a comma in quotes is none. */
const PART = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g

/** The preference, and its value; what parameters follow does not matter here. */
const CODE = /^[ \t]*code[ \t]*(?:=([^;]*))?(?:;|$)/i

/** The status that `Prefer: code=503` (RFC 7240) asks for: a failure, or nothing. The first of several counts. */
export function preferredStatus(header: string | undefined): number | undefined {
  for (const part of header?.match(PART) ?? []) {
    const [isCode, value = ''] = CODE.exec(part) ?? []
    if (isCode === undefined) continue
    const status = value.trim().replace(/^"(.*)"$/, '$1')
    return /^[45][0-9]{2}$/.test(status) ? Number(status) : undefined
  }
  return undefined
}
