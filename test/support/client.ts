import { expect, onTestFinished } from 'vitest'
import type { Fixture, FixtureId, FixtureOrder, FixturePet, PetstoreOptions } from '../../src/index.js'
import { parseJson } from '../../src/lib/json.js'
import type { Adapter, RunningMock } from './adapters.js'

/** A response whose body was read. The body is parsed exactly: an id beyond 2^53 is a bigint. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

/** Bodies are sent as JSON, with bigints digit for digit. A string is sent as it is, so a test can send broken JSON. */
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

/** A client of a new mock, which is closed when the running test ends. */
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

/** Like `JSON.stringify`, but writes bigints as digits. */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`)}}`
  }
  return JSON.stringify(value)
}

/** A pet of a test's starting data, with its stock. */
export type ShopPet = Partial<FixturePet> & { id: FixtureId; stock?: number }

/** Starting data: two categories, these pets and these orders. The default stock is 1, or 0 for a sold pet. */
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

/** Expects exactly this status and body, or no body if none is given. */
export function expectResponse(response: ApiResponse, status: number, body?: unknown): void {
  const type = body === undefined ? null : 'application/json'
  expect(partsOf(response)).toStrictEqual({ status, body, type, version: expect.stringMatching(VERSION) })
}

const VERSION = /^\d+\.\d+\.\d+/

/** What is checked in every response, in one value, because many assertions would be slow. */
function partsOf({ status, body, headers }: ApiResponse) {
  return { status, body, type: headers.get('content-type'), version: headers.get('x-petstore-mock') }
}

/** One line that is not blank, of at most 500 characters. */
const ONE_LINE = /^(?=.*\S).{1,500}$/

const LEAKS = /\bat .+:\d+|node_modules|file:\/\/|\.[cm]?[jt]s\b/

/** Expects exactly the error shape of the contract, with a message that reveals no internals. */
export function expectError(
  response: ApiResponse,
  status: number,
  code: string,
  mentioning: string | RegExp = '',
): void {
  expectResponse(response, status, { code, message: expect.stringMatching(ONE_LINE), status })
  const { message } = response.body as { message: string }
  expect(message).not.toMatch(LEAKS)
  if (mentioning !== '') expect(message).toMatch(mentioning)
}

/** How many characters of a request an error message may repeat in a row. */
const MAX_ECHO = 200

/** Expects an error message that does not flood the client, or a log, with what was sent. */
export function expectNoLongEcho({ body }: ApiResponse, sent: readonly string[]): void {
  const { message } = body as { message: string }
  for (let start = 0; start + MAX_ECHO < message.length; start++) {
    const piece = message.slice(start, start + MAX_ECHO + 1)
    if (sent.some((part) => part.includes(piece))) expect.fail(`The message repeats too much: ${message}`)
  }
}

/** Expects this error, and that the request changed nothing. */
export async function expectRejected(
  { mock }: Client,
  act: () => Promise<ApiResponse>,
  status: number,
  code: string,
  mentioning?: string | RegExp,
): Promise<void> {
  await expectUnchanged(mock, async () => expectError(await act(), status, code, mentioning))
}

/** Expects this inventory entry, and the same status on the pet. */
export async function expectStock(api: Client, petId: FixtureId, quantity: number, status: string): Promise<void> {
  expectResponse(await api.get(`/store/inventory/${petId}`), 200, { petId, quantity, status })
  expect((await api.get(`/pets/${petId}`)).body).toMatchObject({ id: petId, status })
}

/** Expects that an action changes neither the data nor the next ids. Sends no requests of its own. */
export async function expectUnchanged<Result>({ petstore }: RunningMock, act: () => Promise<Result>): Promise<Result> {
  // Comparing text is faster than comparing objects. One value per line shows what differs.
  const readState = () => JSON.stringify(petstore.exportState(), undefined, 1)
  const before = readState()
  const result = await act()
  expect(readState()).toBe(before)
  return result
}

/** The same mock, reached in memory: faster than its adapter, for requests that are not what the test is about. */
export function withoutAdapter(mock: RunningMock): RunningMock {
  return { ...mock, fetch: (path, init) => mock.petstore.fetch(path, init) }
}

/** The paths that the next category, pet and order would have. Creates them, then restores the state. */
export async function probeNextIds(mock: RunningMock): Promise<(string | null)[]> {
  const api = createClient(mock)
  const before = mock.petstore.snapshot()
  const category = await api.post('/categories', { name: 'Probe' })
  const pet = await api.post('/pets', { name: 'Probe', categoryId: (category.body as { id: bigint }).id })
  const order = await api.post('/store/orders', {})
  mock.petstore.restore(before)
  return [category, pet, order].map(({ headers }) => headers.get('location'))
}

/** The whole state, read through the API. */
export async function exportState(mock: RunningMock): Promise<Fixture> {
  return Object.fromEntries(
    Object.entries(await readState(mock)).map(([name, pages]) => [name, pages.flatMap((page) => parseJson(page))]),
  ) as unknown as Fixture
}

/** The whole state as the API writes it, for comparing byte by byte. */
export async function exportText(mock: RunningMock): Promise<string> {
  return Object.values(await readState(mock))
    .flat()
    .join('\n')
}

async function readState(mock: RunningMock): Promise<Record<'categories' | 'pets' | 'inventory' | 'orders', string[]>> {
  return {
    categories: await readPages(mock, '/categories'),
    pets: await readPages(mock, '/pets'),
    inventory: await readPages(mock, '/store/inventory'),
    orders: await readPages(mock, '/store/orders'),
  }
}

const PAGE_SIZE = 100

async function readPages(mock: RunningMock, path: string): Promise<string[]> {
  const pages: string[] = []
  let total = 1
  for (let offset = 0; offset < total; offset += PAGE_SIZE) {
    const response = await mock.fetch(`${path}?limit=${PAGE_SIZE}&offset=${offset}`)
    const page = await response.text()
    if (response.status !== 200) expect.fail(`Reading ${path} failed: ${page}`)
    pages.push(page)
    total = Number(response.headers.get('x-total-count'))
  }
  return pages
}
