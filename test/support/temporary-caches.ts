import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder for the caches of all test processes. It is removed after the last test. */
    caches: string
  }
}

/** The global setup of tests over HTTPS. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-caches-'))
  project.provide('caches', folder)
  return () => rm(folder, { recursive: true, force: true })
}
