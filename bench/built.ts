import type { Petstore, PlainRequest, PlainResponse } from '../src/index.js'

/** The published build: tools that run TypeScript directly add a name to every function, which costs time and memory. */
export const { createPetstore, createMock, loadDocument }: typeof import('../src/index.js') =
  await loadBuilt('index.js')

export const { setupPetstore }: typeof import('../src/adapters/node/index.js') = await loadBuilt('node.js')

export function loadBuilt<Module>(file: string): Promise<Module> {
  return import(new URL(`../dist/${file}`, import.meta.url).href)
}

/** A request as an adapter passes it to the core. */
export function toPlain(method: string, target: string, body?: string): PlainRequest {
  const [path = '', query = ''] = target.split('?')
  const request = { method, path, query, base: '', headers: { 'content-type': 'application/json' } }
  return body === undefined ? request : { ...request, body: new TextEncoder().encode(body) }
}

/** Sends a request without a delay and returns the response, which must have this status. */
export function expectStatus(petstore: Petstore, request: PlainRequest, status: number): PlainResponse {
  const outcome = petstore.handle(request)
  if (outcome instanceof Promise) throw new Error('The response is not synchronous.')
  const { response } = outcome
  if (response.status !== status) {
    throw new Error(`${request.method} ${request.path} returned ${response.status} instead of ${status}.`)
  }
  return response
}
