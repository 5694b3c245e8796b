import type { FaultEffect } from './apply-fault.js'

/** The text between two commas; a comma in quotes does not count. */
const PART = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g

/** The preference `code` and its value; parameters after it are ignored. */
const CODE = /^[ \t]*code[ \t]*(?:=([^;]*))?(?:;|$)/i

/** The status that `Prefer: code=503` (RFC 7240) requests: 400 to 599, or undefined. The first of several counts. */
export function preferredStatus(header: string | undefined): number | undefined {
  for (const part of header?.match(PART) ?? []) {
    const [isCode, value = ''] = CODE.exec(part) ?? []
    if (isCode === undefined) continue
    const status = value.trim().replace(/^"(.*)"$/, '$1')
    return /^[45][0-9]{2}$/.test(status) ? Number(status) : undefined
  }
  return undefined
}

/** The fault that a client requests for itself. */
export function toPreferredFault(status: number): FaultEffect {
  return { kind: 'error', status, message: `The client requested ${status} with the Prefer header.`, delayMs: 0 }
}
