const SANDBOX = /^(.*\/)sandbox\/([^/]+)\/$/

/** The URL before `docs`, and the name of the sandbox in it. The name is empty for the server itself. */
export function readLocation(href: string): { base: URL; sandbox: string } {
  const base = new URL('./', href)
  return { base, sandbox: decodeURIComponent(SANDBOX.exec(base.pathname)?.[2] ?? '') }
}

/** The address of this page for another sandbox, or for the server itself if the name is empty. */
export function toSandbox(base: URL, name: string, { search, hash }: Pick<Location, 'search' | 'hash'>): string {
  const root = base.pathname.replace(SANDBOX, '$1')
  const prefix = name === '' ? '' : `sandbox/${encodeURIComponent(name)}/`
  return `${root}${prefix}docs${search}${hash}`
}
