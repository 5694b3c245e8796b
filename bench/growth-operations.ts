import type { Petstore } from '../src/index.js'
import { expectStatus, toPlain } from './built.js'
import { time } from './statistics.js'

const NEW_PET = '{"name":"Rex","categoryId":1,"status":"available"}'
/** Without a status, so that every pet can be changed. */
const CHANGED_PET = '{"name":"Rex","categoryId":1}'
const WRITES = 10

/** The cost at each size, in microseconds of processor time. */
export interface Row {
  readonly name: string
  readonly costs: readonly number[]
}

/** A mock with data of one size, and the ids of pets that can be ordered and of pets that can be deleted. */
export interface Sized {
  readonly size: number
  readonly petstore: Petstore
  readonly sellable: readonly string[]
  readonly removable: readonly string[]
}

export interface Operation {
  readonly name: string
  /** The number of repetitions in one sample, if it is not `REPEAT`. */
  readonly repeat?: number
  /** Returns the microseconds of one repetition, without the preparation. */
  measure(sized: Sized, repeat: number): number
}

export const operations: readonly Operation[] = [
  request('get by id', 200, ({ size }, count) => ['GET', `/pets/${1 + ((count * 7919) % size)}`]),
  request('filtered page', 200, () => ['GET', '/pets?limit=20&status=available']),
  request('filtered page, from the middle', 200, ({ size }) => [
    'GET',
    `/pets?limit=20&status=available&offset=${Math.floor(size / 4)}`,
  ]),
  request('sorted page', 200, () => ['GET', '/pets?limit=20&sort=-name']),
  request('create', 201, () => ['POST', '/pets', NEW_PET]),
  request('create, invalid', 400, () => ['POST', '/pets', '{"name":"Rex","categoryId":"one"}']),
  request('update', 200, ({ size }, count) => ['PUT', `/pets/${1 + ((count * 7919) % size)}`, CHANGED_PET]),
  request('delete', 204, ({ removable }, count) => ['DELETE', `/pets/${removable[count]}`]),
  request('order', 201, ({ sellable }, count) => [
    'POST',
    '/store/orders',
    `{"petId":${sellable[count]},"quantity":1}`,
  ]),
  {
    name: `reset after ${WRITES} writes`,
    measure: ({ petstore }, repeat) => {
      let sum = 0
      for (let count = 0; count < repeat; count++) {
        write(petstore)
        sum += time(() => petstore.reset())
      }
      return sum / repeat
    },
  },
  {
    name: `snapshot after ${WRITES} writes`,
    measure: ({ petstore }, repeat) => {
      write(petstore)
      const total = time(() => {
        for (let count = 0; count < repeat; count++) petstore.snapshot()
      })
      petstore.reset()
      return total / repeat
    },
  },
  {
    name: 'new sandbox and its first response',
    measure: ({ petstore }, repeat) => {
      let sum = 0
      for (let count = 0; count < repeat; count++) {
        const { method, path, query, base, headers } = toPlain('GET', '/pets/1')
        const inSandbox = { method, path, query, base, headers: { ...headers, 'x-petstore-sandbox': 'new' } }
        sum += time(() => expectStatus(petstore, inSandbox, 200))
        petstore.sandboxes.delete('new')
      }
      return sum / repeat
    },
  },
]

/** The pets of each kind that a sample needs; the smallest data has no more than this. */
export const REPEAT = 30

function request(
  name: string,
  status: number,
  make: (sized: Sized, count: number) => [method: string, target: string, body?: string],
): Operation {
  return {
    name,
    measure: (sized, repeat) => {
      const requests = Array.from({ length: repeat }, (_, count) => toPlain(...make(sized, count)))
      const total = time(() => {
        for (const each of requests) expectStatus(sized.petstore, each, status)
      })
      sized.petstore.reset()
      return total / repeat
    },
  }
}

function write(petstore: Petstore): void {
  for (let count = 0; count < WRITES; count++) expectStatus(petstore, toPlain('POST', '/pets', NEW_PET), 201)
}

/** Finds pets in the whole range for which the request succeeds, then resets. */
export function findPets(
  petstore: Petstore,
  size: number,
  method: string,
  toRequest: (id: number) => [string, string?],
) {
  const found: string[] = []
  const stride = Math.max(1, Math.floor(size / (REPEAT * 4)))
  for (let id = 1; id <= size && found.length < REPEAT; id += stride) {
    const outcome = petstore.handle(toPlain(method, ...toRequest(id)))
    if (!(outcome instanceof Promise) && outcome.response.status < 300) found.push(String(id))
  }
  petstore.reset()
  if (found.length < REPEAT) throw new Error(`Only ${found.length} of ${size} pets can be used with ${method}.`)
  return found
}
