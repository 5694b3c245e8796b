import { escapeInvisible } from '../../lib/text.js'

/** The variable for a mock: `petstore` for the built-in service. */
export type MockName = 'petstore' | 'mock'

/** That of the statements of a test. */
export const INDENT = '  '

/** Longer values are broken into lines. */
const MAX_WIDTH = 100

/** A JSON value, which may contain bigints, as JavaScript. `indent` is that of the line it starts in. */
export function toLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => toLiteral(item, inner))
    : toMembers(value, (member) => toLiteral(member, inner))
  return joinParts(parts, Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'], indent)
}

/** An object whose values are code. Those that are undefined are left out. */
export function toObjectCode(members: Readonly<Record<string, string | undefined>>, indent = ''): string {
  const given = Object.entries(members).filter((member): member is [string, string] => member[1] !== undefined)
  return joinParts(
    given.map(([name, code]) => `${toName(name)}: ${code}`),
    ['{ ', ' }'],
    indent,
  )
}

function toMembers(value: object, write: (member: unknown) => string): string[] {
  return Object.entries(value).map(([name, member]) => `${toName(name)}: ${write(member)}`)
}

function joinParts(parts: readonly string[], [open, close]: readonly [string, string], indent: string): string {
  if (parts.length === 0) return open.trim() + close.trim()
  const inline = open + parts.join(', ') + close
  if (indent.length + inline.length <= MAX_WIDTH && !inline.includes('\n')) return inline
  const lines = parts.map((part) => `${indent}  ${part},\n`)
  return `${open.trim()}\n${lines.join('')}${indent}${close.trim()}`
}

/** What follows an object to read this member of it. */
export function toMemberCode(name: string): string {
  return isIdentifier(name) ? `.${name}` : `[${quoteText(name)}]`
}

/** In an object literal, a plain `__proto__` would set the prototype. */
function toName(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return isIdentifier(name) ? name : quoteText(name)
}

const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)

/** A string in single quotes, without invisible characters. */
export function quoteText(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1)
  const requoted = inside.replaceAll(/\\.|'/gs, (part) => (part === '\\"' ? '"' : part === "'" ? "\\'" : part))
  return `'${escapeInvisible(requoted)}'`
}

/** Bytes from Base64. */
export function toBytesCode(base64: string): string {
  return `Uint8Array.from(atob(${quoteText(base64)}), (character) => character.charCodeAt(0))`
}

/** A comment of one line. */
export function toComment(text: string, mark = '//'): string {
  return `${mark} ${text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')}`
}
