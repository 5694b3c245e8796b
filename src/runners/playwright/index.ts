import type { TestInfo, TestType } from '@playwright/test'
import type { TypesOf } from '../../engine/mock/create-mocks.js'
import { connect, type MockClient, type PetstoreClient } from '../../tools/client/index.js'
import { contextTest } from './contexts.js'
import { attachEvidence } from './evidence.js'
import type { Target } from './target.js'

export * from '../../tools/client/index.js'
export type { ExpectedRequest, ExpectedRequestFor } from '../assertions/received.js'
export type { PetstoreTestOptions, PetstoreWorkerOptions } from './contexts.js'
export { expect, type PetstoreMatchers } from './expect.js'

export interface PetstoreFixtures {
  /**
   * The sandbox of this test, which is deleted at its end. What the test sends with `page`, `request`, `browser.newContext` and
   * `playwright.request.newContext` uses it without knowing.
   */
  petstore: PetstoreClient
}

type ExtendedWith<Fixtures extends object> =
  typeof contextTest extends TestType<infer Args, infer WorkerArgs> ? TestType<Args & Fixtures, WorkerArgs> : never

/** Playwright's `test`, with a sandbox for every test. */
export const test: ExtendedWith<PetstoreFixtures> = contextTest.extend<PetstoreFixtures>({
  petstore: clientFixture(0) as never,
})

/** A service that tests mock, and the options of its mock: `{ service: library, baseUrl: 'https://books.example' }`. */
export type ServiceOfTest = {
  /** The address to which the application sends its requests. They reach the mock instead. Default: the mock's address. */
  readonly baseUrl?: string
} & (
  | { readonly service: object }
  | { /** An OpenAPI document, or the path of its file. */ readonly document: object | string }
)

type Clients<S> = { readonly [Name in keyof S]: MockClient<TypesOf<S[Name]>> }

/**
 * Playwright's `test` for services of your own: every test has a sandbox of each, by the name that it has here, and their handlers
 * can use each other. Every worker starts a server with them or, with `petstoreUrl`, uses one that has them: at its address if
 * there is one service, and at the paths of their names if there are several.
 */
export function createTest<const S extends Readonly<Record<string, ServiceOfTest>>>(
  services: S,
): ExtendedWith<Clients<S>> {
  const given = Object.entries(services as Record<string, ServiceOfTest>)
  const entries = given.map(([name, { baseUrl: _, ...entry }]) => [name, entry] as const)
  const served = entries.length === 1 ? entries[0]?.[1] : { services: Object.fromEntries(entries) }
  const names = given.map(([name]) => name)
  const baseUrls = Object.fromEntries(given.map(([name, { baseUrl }]) => [name, baseUrl]))
  return contextTest.extend({
    petstoreServices: [{ names, served, baseUrls }, { scope: 'worker' }],
    ...Object.fromEntries(names.map((name, index) => [name, clientFixture(index)])),
  } as object)
}

/** A client for the sandbox of a test. Also for a test that does not use it, whose pages would find data of an earlier run. */
function clientFixture(index: number) {
  const fixture = async (
    { petstoreTargets, petstoreSandbox }: { petstoreTargets: readonly Target[]; petstoreSandbox: string | undefined },
    use: (client: object) => Promise<void>,
    testInfo: TestInfo,
  ) => {
    const target = petstoreTargets[index] as Target
    const { url, sandbox, adminToken: token } = target
    const client = connect(url, { sandbox, ...(token !== undefined && { token }) })
    const isOwn = petstoreSandbox === undefined
    // A run that was interrupted may have left it behind.
    if (isOwn) await client.reset()
    await use(client)
    let hasFailed = testInfo.status !== testInfo.expectedStatus
    try {
      await client.check()
    } catch (error) {
      hasFailed = true
      throw error
    } finally {
      if (hasFailed) await attachEvidence(testInfo, client, target)
      if (isOwn) await client.sandboxes.delete(sandbox)
    }
  }
  return [fixture, { auto: true }]
}
