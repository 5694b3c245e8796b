const IN_SANDBOX = /^(.*)\/sandbox\/([A-Za-z0-9._-]{1,64})$/

/** Which mock a base address leads to, and which sandbox of it. */
export function splitBase(base: string): { root: string; sandbox: string | undefined } {
  const [, root = base, sandbox] = IN_SANDBOX.exec(base) ?? []
  return { root, sandbox }
}

export function baseOfSandbox(root: string, name: string | undefined): string {
  return name === undefined ? root : `${root}/sandbox/${name}`
}
