const SANDBOX = /^(.*\/)sandbox\/([^/]+)\/$/

/** The URL before `docs`, the name of the sandbox in it, and the URL without that. The server itself has an empty name. */
export function readLocation(href: string): { base: URL; sandbox: string; root: URL } {
  const base = new URL('./', href)
  const [, root = base.pathname, sandbox = ''] = SANDBOX.exec(base.pathname) ?? []
  return { base, sandbox: decodeURIComponent(sandbox), root: new URL(root, base) }
}

/** The address of this page for another sandbox, or for the server itself if the name is empty. */
export function toSandbox(root: URL, name: string, { search, hash }: Pick<Location, 'search' | 'hash'>): string {
  const prefix = name === '' ? '' : `sandbox/${encodeURIComponent(name)}/`
  return `${root.pathname}${prefix}docs${search}${hash}`
}
