export interface PageLocation {
  /** The URL of the server, or of the sandbox: everything before `docs`. */
  readonly base: URL
  /** The name of the sandbox. Empty for the server itself. */
  readonly sandbox: string
}

const SANDBOX = /^(.*\/)sandbox\/([^/]+)\/$/

export function readLocation(href: string): PageLocation {
  const base = new URL('./', href)
  return { base, sandbox: decodeURIComponent(SANDBOX.exec(base.pathname)?.[2] ?? '') }
}

/** The address of this page for another sandbox, or for the server itself if the name is empty. */
export function toSandbox({ base }: PageLocation, name: string, page: Location): string {
  const root = base.pathname.replace(SANDBOX, '$1')
  const prefix = name === '' ? '' : `sandbox/${encodeURIComponent(name)}/`
  return `${root}${prefix}docs${page.search}${page.hash}`
}
