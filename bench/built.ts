import type { Petstore, PlainRequest, PlainResponse } from '../src/index.js'

/** As it is published: what runs TypeScript as it is gives every function a name of its own, which costs and weighs. */
export const { createPetstore }: typeof import('../src/index.js') = await load('index.js')

export const { setupPetstore }: typeof import('../src/adapters/node/index.js') = await load('node.js')

function load<Module>(file: string): Promise<Module> {
  return import(new URL(`../dist/${file}`, import.meta.url).href)
}

/** A request as an adapter hands it to the core. */
export function toPlain(method: string, target: string, body?: string): PlainRequest {
  const [path = '', query = ''] = target.split('?')
  const request = { method, path, query, base: '', headers: { 'content-type': 'application/json' } }
  return body === undefined ? request : { ...request, body: new TextEncoder().encode(body) }
}

/** The answer to a request that nothing delays, which has to have that status. */
export function expectAnswer(petstore: Petstore, request: PlainRequest, status: number): PlainResponse {
  const handled = petstore.handle(request)
  if (handled instanceof Promise) throw new Error('the answer should be there at once')
  const { response } = handled
  if (response.status !== status) {
    throw new Error(`${request.method} ${request.path} was answered with ${response.status}, not ${status}`)
  }
  return response
}
