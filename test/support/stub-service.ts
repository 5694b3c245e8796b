import { onTestFinished, vi } from 'vitest'
import { createPetstore, type PetstoreOptions } from '../../src/index.js'
import type { Fetch } from '../../src/tools/server/send-request.js'

/** A mock in memory, which a command in this process reaches with `fetch` until the test has finished. */
export function stubService(options: PetstoreOptions = {}, alter: (fetch: Fetch) => Fetch = (fetch) => fetch) {
  const petstore = createPetstore(options)
  const requests: Request[] = []
  const send = alter((url, init) => petstore.fetch(url, init))
  const fetch: Fetch = (url, { signal, ...init }) => {
    requests.push(new Request(url, init))
    return send(url, init)
  }
  vi.stubGlobal('fetch', fetch)
  onTestFinished(() => void vi.unstubAllGlobals())
  return { petstore, requests }
}
