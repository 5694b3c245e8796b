import type { Petstore } from '../src/index.js'
import { expectAnswer, toPlain } from './built.js'
import { time } from './statistics.js'

const NEW_PET = '{"name":"Rex","categoryId":1,"status":"available"}'
/** Without a status, which stays as it is, so that every pet can be changed like this. */
const CHANGED_PET = '{"name":"Rex","categoryId":1}'
const WRITES = 10

/** What something costs at each size, in microseconds of processor time. */
export interface Row {
  readonly name: string
  readonly costs: readonly number[]
}

/** A pet store of one size, and pets of it that can be sold and pets that can go. */
export interface Sized {
  readonly size: number
  readonly petstore: Petstore
  readonly sellable: readonly string[]
  readonly removable: readonly string[]
}

export interface Operation {
  readonly name: string
  /** How often it is done for one sample, where that is not often. */
  readonly repeat?: number
  /** Does it so often and says how long one took, in microseconds. What it has to prepare is not counted. */
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
    name: 'new sandbox and its first answer',
    measure: ({ petstore }, repeat) => {
      let sum = 0
      for (let count = 0; count < repeat; count++) {
        const { method, path, query, base, headers } = toPlain('GET', '/pets/1')
        const inside = { method, path, query, base, headers: { ...headers, 'x-petstore-sandbox': 'new' } }
        sum += time(() => expectAnswer(petstore, inside, 200))
        petstore.sandboxes.delete('new')
      }
      return sum / repeat
    },
  },
]

/** How many pets of each kind a sample needs; a small world has no more than this. */
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
        for (const each of requests) expectAnswer(sized.petstore, each, status)
      })
      sized.petstore.reset()
      return total / repeat
    },
  }
}

function write(petstore: Petstore): void {
  for (let count = 0; count < WRITES; count++) expectAnswer(petstore, toPlain('POST', '/pets', NEW_PET), 201)
}

/** Tries pets from all over the catalogue, and puts them back. */
export function findPets(
  petstore: Petstore,
  size: number,
  method: string,
  toRequest: (id: number) => [string, string?],
) {
  const found: string[] = []
  const stride = Math.max(1, Math.floor(size / (REPEAT * 4)))
  for (let id = 1; id <= size && found.length < REPEAT; id += stride) {
    const handled = petstore.handle(toPlain(method, ...toRequest(id)))
    if (!(handled instanceof Promise) && handled.response.status < 300) found.push(String(id))
  }
  petstore.reset()
  if (found.length < REPEAT) throw new Error(`only ${found.length} of ${size} pets can be used with ${method}`)
  return found
}
