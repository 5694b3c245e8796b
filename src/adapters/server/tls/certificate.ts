/** What a TLS server needs to prove its name, and to check those of its clients. */
export interface Certificate {
  /** PEM, with the certificates that it depends on. */
  readonly cert: string
  readonly key: string
  readonly passphrase?: string | undefined
  /** The file of `cert`, if there is one. */
  readonly file: string | undefined
  /** The certificate that signs those of clients (PEM), if they need one. */
  readonly clientCa?: string | undefined
}

export const DAY_MS = 86_400_000

export function orUndefined<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
