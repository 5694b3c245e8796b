import { expect, onTestFinished } from 'vitest'
import type { Fixture, FixtureId, FixtureOrder, FixturePet, PetstoreOptions } from '../../src/index.js'
import { parseJson } from '../../src/lib/json.js'
import type { Adapter, RunningMock } from './adapters.js'

/** An answer, read to its end. The body is parsed exactly: an id beyond 2^53 is a bigint. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

/** A body is written as JSON, bigints digit for digit; a string goes out as it is, so that it can be broken. */
export interface Client {
  readonly mock: RunningMock
  get(path: string): Promise<ApiResponse>
  post(path: string, body?: unknown): Promise<ApiResponse>
  put(path: string, body?: unknown): Promise<ApiResponse>
  patch(path: string, body?: unknown): Promise<ApiResponse>
  delete(path: string): Promise<ApiResponse>
}

export function createClient(mock: RunningMock): Client {
  async function send(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const text = typeof body === 'string' ? body : toJson(body)
    const sent = body === undefined ? {} : { body: text, headers: { 'content-type': 'application/json' } }
    return readResponse(await mock.fetch(path, { method, ...sent }))
  }
  return {
    mock,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  }
}

/** A client of a fresh pet store that is closed when the running test ends. */
export async function openClient(adapter: Adapter, options?: PetstoreOptions): Promise<Client> {
  const mock = await adapter.open(options)
  onTestFinished(() => mock.close())
  return createClient(mock)
}

export async function readResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text()
  const body = text === '' ? undefined : parseJson(text)
  return { status: response.status, headers: response.headers, text, body }
}

/** JSON text with bigints as plain digits, which `JSON.stringify` refuses. */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`)}}`
  }
  return JSON.stringify(value)
}

/** A pet of a test's shop and the units of it in stock. */
export type ShopPet = Partial<FixturePet> & { id: FixtureId; stock?: number }

/** A small world: two categories, the pets with their stock (1 unless told, 0 of a sold one), the orders. */
export function shop(pets: readonly ShopPet[] = [], orders: readonly FixtureOrder[] = []): Fixture {
  const filled = pets.map(({ stock, ...pet }) => {
    const { status = 'available' } = pet
    return {
      pet: { name: `Pet ${pet.id}`, categoryId: 1, ...pet, status },
      quantity: stock ?? Number(status !== 'sold'),
    }
  })
  return {
    categories: [
      { id: 1, name: 'Dogs', description: 'They bark' },
      { id: 2, name: 'Cats' },
    ],
    pets: filled.map(({ pet }) => pet),
    inventory: filled.map(({ pet, quantity }) => ({ petId: pet.id, quantity, status: pet.status })),
    orders: [...orders],
  }
}

/** Exactly this status and this body; no body where none is given. */
export function expectResponse(response: ApiResponse, status: number, body?: unknown): void {
  expect({ status: response.status, body: response.body }).toStrictEqual({ status, body })
  expect(response.headers.get('content-type')).toBe(body === undefined ? null : 'application/json')
  expect(response.headers.get('x-petstore-mock')).toMatch(VERSION)
}

const VERSION = /^\d+\.\d+\.\d+/

const LEAKS = /\n|\bat .+:\d+|node_modules|file:\/\/|\.[cm]?[jt]s\b/

/** Exactly the contract's error, and a message that names what was wrong. */
export function expectError(
  response: ApiResponse,
  status: number,
  code: string,
  mentioning: string | RegExp = '',
): void {
  expect(response.body).toStrictEqual({ code, message: expect.any(String), status })
  const { message } = response.body as { message: string }
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-petstore-mock')).toMatch(VERSION)
  expect(message.trim()).not.toBe('')
  expect(message.length).toBeLessThanOrEqual(500)
  expect(message).not.toMatch(LEAKS)
  if (mentioning !== '') expect(message).toMatch(mentioning)
}

/** How much of what was sent a message may repeat. */
const MAX_REPEATED = 200

/** The message of a refusal does not throw back at the sender, or into a log, all that was sent. */
export function expectNoLongEcho({ body }: ApiResponse, sent: readonly string[]): void {
  const { message } = body as { message: string }
  for (let start = 0; start + MAX_REPEATED < message.length; start++) {
    const piece = message.slice(start, start + MAX_REPEATED + 1)
    for (const part of sent) expect(part).not.toContain(piece)
  }
}

/** The operation's `X-Stability`; null where it has no marker. */
export function stabilityOf({ headers }: ApiResponse): string | null {
  return headers.get('x-stability')
}

/** The request is refused with this error, and afterwards everything is as it was. */
export async function expectRejected(
  { mock }: Client,
  act: () => Promise<ApiResponse>,
  status: number,
  code: string,
  mentioning?: string | RegExp,
): Promise<void> {
  await expectUnchanged(mock, async () => expectError(await act(), status, code, mentioning))
}

/** The pet's inventory entry is exactly this, and the pet itself says the same status. */
export async function expectStock(api: Client, petId: FixtureId, quantity: number, status: string): Promise<void> {
  expectResponse(await api.get(`/store/inventory/${petId}`), 200, { petId, quantity, status })
  expect((await api.get(`/pets/${petId}`)).body).toMatchObject({ id: petId, status })
}

/** Whatever is done, the data and the next id of every kind stay the same. */
export async function expectUnchanged<Result>(mock: RunningMock, act: () => Promise<Result>): Promise<Result> {
  const look = withoutAdapter(mock)
  const before = { state: await exportState(look), next: await probeNextIds(look) }
  const result = await act()
  expect({ state: await exportState(look), next: await probeNextIds(look) }).toStrictEqual(before)
  return result
}

/** The same pet store without its adapter, for what a test only compares: the way through an adapter can be slow. */
export function withoutAdapter(mock: RunningMock): RunningMock {
  return { ...mock, fetch: (path, init) => mock.petstore.fetch(path, init) }
}

/** Where the next category, pet and order would lie. Makes them and goes back to the moment before. */
export async function probeNextIds(mock: RunningMock): Promise<(string | null)[]> {
  const api = createClient(mock)
  const moment = mock.petstore.snapshot()
  const category = await api.post('/categories', { name: 'Probe' })
  const pet = await api.post('/pets', { name: 'Probe', categoryId: (category.body as { id: bigint }).id })
  const order = await api.post('/store/orders', {})
  mock.petstore.restore(moment)
  return [category, pet, order].map(({ headers }) => headers.get('location'))
}

/** The whole world as HTTP shows it. */
export async function exportState(mock: RunningMock): Promise<Fixture> {
  return Object.fromEntries(
    Object.entries(await readWorld(mock)).map(([name, pages]) => [name, pages.flatMap((page) => parseJson(page))]),
  ) as unknown as Fixture
}

/** The same as one text, to be compared byte by byte. */
export async function exportText(mock: RunningMock): Promise<string> {
  return Object.values(await readWorld(mock))
    .flat()
    .join('\n')
}

async function readWorld(mock: RunningMock): Promise<Record<'categories' | 'pets' | 'inventory' | 'orders', string[]>> {
  return {
    categories: await readPages(mock, '/categories'),
    pets: await readPages(mock, '/pets'),
    inventory: await readPages(mock, '/store/inventory'),
    orders: await readPages(mock, '/store/orders'),
  }
}

const PAGE = 100

async function readPages(mock: RunningMock, path: string): Promise<string[]> {
  const pages: string[] = []
  let total = 1
  for (let offset = 0; offset < total; offset += PAGE) {
    const response = await mock.fetch(`${path}?limit=${PAGE}&offset=${offset}`)
    const page = await response.text()
    if (response.status !== 200) expect.fail(`${path} cannot be read: ${page}`)
    pages.push(page)
    total = Number(response.headers.get('x-total-count'))
  }
  return pages
}
