/** Where the page is: everything before `docs` is the address of the server, or of a sandbox in it. */
export interface Place {
  readonly base: URL
  /** Empty outside of one. */
  readonly sandbox: string
}

const SANDBOX = /^(.*\/)sandbox\/([^/]+)\/$/

export function readPlace(address: string): Place {
  const base = new URL('./', address)
  base.search = ''
  base.hash = ''
  return { base, sandbox: decodeURIComponent(SANDBOX.exec(base.pathname)?.[2] ?? '') }
}

/** The same page of another sandbox, or of the server itself where the name is empty. */
export function toSandbox({ base, sandbox }: Place, name: string, page: Location): string {
  const root = sandbox === '' ? base.pathname : base.pathname.replace(SANDBOX, '$1')
  const inside = name === '' ? '' : `sandbox/${encodeURIComponent(name)}/`
  return `${root}${inside}docs${page.search}${page.hash}`
}
