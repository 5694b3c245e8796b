/** A name as JSON pointers have it. */
export function escapeToken(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}

export function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

/** The keys that lead to a place in a document, from the innermost to the root: thousands of places share them. */
export interface Path {
  readonly key: string
  readonly parent: Path | undefined
}

export const ROOT: Path = { key: '', parent: undefined }

/** As a JSON pointer: `/paths/~1books/get`. */
export function toPointer({ key, parent }: Path): string {
  return parent === undefined ? '' : `${toPointer(parent)}/${escapeToken(key)}`
}
