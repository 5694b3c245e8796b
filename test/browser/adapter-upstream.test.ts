import { readFileSync } from 'node:fs'
import { OpenAPIBackend } from 'openapi-backend'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { startServer } from '../../src/adapters/server/index.js'
import { CARELESS } from '../support/careless-service.js'
import { serveCareless } from '../support/serve-careless.js'
import { useBrowser } from './browser.js'

const browser = useBrowser()

interface Sent {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly body?: object
  /** Whether the request itself violates the document. */
  readonly isInvalid?: true
}

const REQUESTS: readonly Sent[] = [
  { operation: 'listPets', method: 'GET', path: '/pets?limit=5' },
  { operation: 'listPets', method: 'GET', path: '/pets?limit=0', isInvalid: true },
  { operation: 'getPet', method: 'GET', path: '/pets/0x1', isInvalid: true },
  { operation: 'getPet', method: 'GET', path: '/pets/01', isInvalid: true },
  { operation: 'createPet', method: 'POST', path: '/pets', body: { name: 'Rex', categoryId: 1 } },
  { operation: 'createPet', method: 'POST', path: '/pets', body: { name: 'Rex', categoryId: '1' }, isInvalid: true },
  { operation: 'createPet', method: 'POST', path: '/pets', body: {}, isInvalid: true },
  { operation: 'updatePet', method: 'PUT', path: '/pets/1', body: { name: 'Max', categoryId: 1, id: 7 } },
  { operation: 'createOrder', method: 'POST', path: '/store/orders', body: { petId: '1' }, isInvalid: true },
  { operation: 'updateOrder', method: 'PATCH', path: '/store/orders/1', body: { complete: 'no' }, isInvalid: true },
  { operation: 'updateInventory', method: 'PUT', path: '/store/inventory/3', body: { quantity: 2 } },
  { operation: 'listInventory', method: 'GET', path: '/store/inventory' },
  { operation: 'deletePet', method: 'DELETE', path: '/pets/2' },
  { operation: 'getPet', method: 'GET', path: '/pets/2' },
  { operation: 'createCategory', method: 'POST', path: '/categories', body: { name: 'Fish' } },
]

/** Runs in the page. */
async function sendAll(requests: readonly Sent[]): Promise<{ status: number; text: string }[]> {
  const received: { status: number; text: string }[] = []
  for (const { method, path, body } of requests) {
    const json = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(path, { method, ...json })
    received.push({ status: response.status, text: await response.text() })
  }
  return received
}

const definition = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'))
const reference = new OpenAPIBackend({ definition, quick: true, ajvOpts: { logger: false } })
beforeAll(() => reference.init())

/** What openapi-backend says of a response, which the mock does not ask. */
function isValid(operation: string, { status, text }: { status: number; text: string }): boolean {
  if (reference.router.getOperation(operation)?.responses?.[status] === undefined) return false
  return text === '' || reference.validator.validateResponse(JSON.parse(text), operation, status).valid === true
}

it.each(Object.entries(CARELESS))('finds every violation while a page uses a service that %s', async (_, careless) => {
  const front = await startServer({ port: 0, upstream: await serveCareless(careless), pass: ['*'] })
  onTestFinished(() => front.close())
  const page = await browser.openPage()
  await page.goto(`${front.url}/pets/1`)
  front.petstore.journal.clear()

  const received = await page.evaluate(sendAll, REQUESTS)
  // The browser asks for an icon.
  const entries = front.petstore.journal.entries().filter(({ operation }) => operation !== undefined)
  expect(
    entries.map(({ operation, status, violations, upstream }) => [
      operation,
      status,
      !violations,
      !upstream?.violations,
    ]),
  ).toEqual(
    received.map((response, index) => {
      const { operation, isInvalid } = REQUESTS[index] as Sent
      return [operation, response.status, !isInvalid, isValid(operation, response)]
    }),
  )
  expect(entries.some(({ upstream }) => upstream?.violations)).toBe(true)
})
