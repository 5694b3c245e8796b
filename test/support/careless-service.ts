import type { Fetch } from '../../src/tools/server/send-request.js'

type Fields = Record<string, unknown>
type Kind = 'pets' | 'categories' | 'orders'

/** A careless way to write a service. Without any of these, the service is careful with its records. */
export interface Carelessness {
  /** Which record the id in a path stands for. */
  readonly readId?: (text: string) => number
  /** The `id` in a body decides which record is written. */
  readonly honoursBodyId?: true
  /** Every `petId` and `categoryId` is read as a number, and a deleted order does not return its units. */
  readonly coercesReferences?: true
  /** Responses have an `ETag`, but `If-Match` and the like are ignored. */
  readonly hasEtags?: true
  /** A deleted row is free for the next record, and other clients are quick to create one. */
  readonly reusesRows?: true
  /** DELETE returns 202 with the id of a job, and the record is gone a few requests later. */
  readonly deletesLater?: true
  /** POST returns 202 with the id of a job. */
  readonly createsJobs?: true
}

const IDS = Array.from({ length: 101 }, (_, id) => id)

/** Most of them would lose records to a client that relies on what they return. */
export const CARELESS: Readonly<Record<string, Carelessness>> = {
  'reads ids with Number': { readId: Number },
  'reads ids with parseInt': { readId: (text) => Number.parseInt(text, 10) },
  'reads ids as 32-bit integers': { readId: (text) => Number(text) | 0 },
  'writes to the id in the body': { honoursBodyId: true },
  'reads any petId as a number': { coercesReferences: true },
  'ignores If-Match, and compares ids with ==': {
    hasEtags: true,
    // biome-ignore lint/suspicious/noDoubleEquals: this is the mistake.
    readId: (text) => IDS.find((id) => (id as unknown) == text) ?? Number(text),
  },
  'reuses the rows of deleted records': { reusesRows: true },
  'deletes later': { deletesLater: true },
  'deletes later, and returns the ids of jobs': { deletesLater: true, createsJobs: true },
}

const PATHS: Readonly<Record<Kind, string>> = { pets: '/pets', categories: '/categories', orders: '/store/orders' }
const NOT_FOUND: Readonly<Record<Kind, string>> = { pets: 'PET', categories: 'CATEGORY', orders: 'ORDER' }

export interface CarelessService {
  readonly fetch: Fetch
  /** Those of its own records that were changed or deleted, such as `pets 1`. */
  changed(): string[]
  /** The records that clients created and that are still there. */
  foreign(): string[]
}

/** A service in memory with records of its own, ids 0 to 100 of each kind. */
export function createCarelessService(careless: Carelessness): CarelessService {
  const tables: Record<Kind, Map<number, Fields>> = { pets: new Map(), categories: new Map(), orders: new Map() }
  const stock = new Map<number, number>()
  const lastIds: Record<Kind, number> = { pets: 100, categories: 100, orders: 100 }
  const own = new Map<string, string>()
  const changed = new Set<string>()
  const queue: { readonly at: number; readonly run: () => void }[] = []
  const counts = { requests: 0, jobs: 0 }

  const show = (kind: Kind, id: number): string =>
    JSON.stringify([tables[kind].get(id), kind === 'pets' && stock.get(id)])

  function addOwn(kind: Kind, id: number, fields: Fields): void {
    // A row of its own that is free was deleted by a client.
    if (own.has(`${kind} ${id}`)) changed.add(`${kind} ${id}`)
    tables[kind].set(id, { id, ...fields })
    if (kind === 'pets') stock.set(id, 5)
    own.set(`${kind} ${id}`, show(kind, id))
  }

  for (const id of IDS) {
    addOwn('categories', id, { name: `Category ${id}` })
    addOwn('pets', id, { name: `Pet ${id}`, categoryId: id, status: 'available' })
    addOwn('orders', id, { petId: id, quantity: 1, complete: false })
  }

  function respond(status: number, body?: unknown, headers: Record<string, string> = {}): Response {
    const etag = careless.hasEtags && { ETag: '"1"' }
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { 'Content-Type': 'application/json', ...etag, ...headers },
    })
  }

  const fail = (status: number, code: string): Response => respond(status, { code, message: 'No.', status })

  const queued = (): Response => respond(202, { id: ++counts.jobs, state: 'queued' })

  function list(kind: Kind, query: URLSearchParams): Response {
    const name = query.get('name')?.toLowerCase() ?? ''
    const direction = query.get('sort')?.startsWith('-') ? -1 : 1
    const found = [...tables[kind].values()]
      .filter((record) =>
        String(record.name ?? '')
          .toLowerCase()
          .includes(name),
      )
      .filter((record) =>
        ['categoryId', 'petId'].every((key) => !query.has(key) || String(record[key]) === query.get(key)),
      )
      .sort((a, b) => direction * (Number(a.id) - Number(b.id)))
    const offset = Number(query.get('offset') ?? 0)
    const page = found.slice(offset, offset + Number(query.get('limit') ?? 20))
    return respond(200, page, { 'X-Total-Count': String(found.length) })
  }

  function isValid(kind: Kind, { name, categoryId, petId }: Fields): boolean {
    if (kind !== 'orders' && typeof name !== 'string') return false
    if (careless.coercesReferences) return true
    if (petId !== undefined && !Number.isInteger(petId)) return false
    return kind !== 'pets' || Number.isInteger(categoryId)
  }

  function takeUnits({ petId, quantity = 1 }: Fields, sign: 1 | -1): void {
    const units = stock.get(Number(petId))
    if (units !== undefined) stock.set(Number(petId), units - sign * Number(quantity))
  }

  function create(kind: Kind, body: Fields): Response {
    if (!isValid(kind, body)) return fail(400, 'INVALID_REQUEST')
    const id = careless.honoursBodyId && body.id !== undefined ? Number(body.id) : ++lastIds[kind]
    const defaults = { pets: { status: 'available' }, categories: {}, orders: { quantity: 1, complete: false } }[kind]
    const record: Fields = { ...defaults, ...body, id }
    tables[kind].set(id, record)
    if (kind === 'pets') stock.set(id, 1)
    if (kind === 'orders') takeUnits(record, 1)
    if (careless.createsJobs) return queued()
    return respond(201, record, { Location: `${PATHS[kind]}/${id}` })
  }

  function change(kind: Kind, id: number, body: Fields, method: string): Response {
    const before = tables[kind].get(id)
    const kept = method === 'PATCH' ? before : { status: before?.status }
    if (!isValid(kind, { ...kept, ...body })) return fail(400, 'INVALID_REQUEST')
    const target = careless.honoursBodyId && body.id !== undefined ? Number(body.id) : id
    tables[kind].set(target, { ...kept, ...body, id: target })
    return respond(200, tables[kind].get(target))
  }

  function remove(kind: Kind, id: number): Response {
    if (kind === 'orders' && !careless.coercesReferences) takeUnits(tables.orders.get(id) ?? {}, -1)
    const run = (): void => {
      tables[kind].delete(id)
      if (kind === 'pets') stock.delete(id)
    }
    if (careless.deletesLater) {
      queue.push({ at: counts.requests + 5, run })
      return queued()
    }
    run()
    if (careless.reusesRows) {
      const fields = kind === 'orders' ? { petId: 1, quantity: 1, complete: false } : { name: `Customer's ${id}` }
      addOwn(kind, id, fields)
    }
    return respond(204)
  }

  function inventory(id: number): Fields {
    return { petId: id, quantity: stock.get(id), status: tables.pets.get(id)?.status }
  }

  function readId(text: string): number {
    const decoded = text.includes('%zz') ? text : decodeURIComponent(text)
    if (careless.readId) return careless.readId(decoded)
    return /^(?:0|-?[1-9]\d*)$/.test(decoded) ? Number(decoded) : Number.NaN
  }

  function toCollection(kind: Kind, root: string, method: string, query: URLSearchParams, body: Fields): Response {
    if (method === 'POST' && root !== 'store/inventory') return create(kind, body)
    if (method !== 'GET') return fail(405, 'METHOD_NOT_ALLOWED')
    if (root !== 'store/inventory') return list(kind, query)
    const ids = [...tables.pets.keys()].sort((a, b) => a - b)
    const sorted = query.get('sort')?.startsWith('-') ? ids.reverse() : ids
    return respond(200, sorted.slice(0, Number(query.get('limit') ?? 20)).map(inventory))
  }

  function toRecord(kind: Kind, root: string, method: string, text: string, body: Fields): Response {
    const id = readId(text)
    if (Number.isNaN(id)) return fail(400, 'INVALID_REQUEST')
    if (!tables[kind].has(id)) return fail(404, `${NOT_FOUND[kind]}_NOT_FOUND`)
    const isInventory = root === 'store/inventory'
    if (method === 'GET') return respond(200, isInventory ? inventory(id) : tables[kind].get(id))
    if (method === 'DELETE' && !isInventory) return remove(kind, id)
    if (method !== 'PUT' && method !== 'PATCH') return fail(405, 'METHOD_NOT_ALLOWED')
    if (!isInventory) return change(kind, id, body, method)
    stock.set(id, Number(body.quantity))
    return respond(200, inventory(id))
  }

  async function handle(url: string, { method = 'GET', body: sent }: RequestInit): Promise<Response> {
    counts.requests += 1
    for (const { run } of queue.filter(({ at }) => at === counts.requests)) run()
    const { pathname, searchParams } = new URL(url)
    const [, root, text] = /^\/(pets|categories|store\/orders|store\/inventory)(?:\/([^/]*))?$/.exec(pathname) ?? []
    if (root === undefined) return fail(404, 'ROUTE_NOT_FOUND')
    let body: unknown = {}
    try {
      if (typeof sent === 'string') body = JSON.parse(sent)
      else if (sent) return fail(400, 'MALFORMED_BODY')
    } catch {
      return fail(400, 'MALFORMED_BODY')
    }
    if (typeof body !== 'object' || body === null) return fail(400, 'INVALID_REQUEST')
    const kind = root === 'categories' ? 'categories' : root === 'store/orders' ? 'orders' : 'pets'
    return text === undefined
      ? toCollection(kind, root, method, searchParams, body as Fields)
      : toRecord(kind, root, method, text, body as Fields)
  }

  return {
    fetch: handle,
    changed() {
      for (const [key, before] of own) {
        const [kind, id] = key.split(' ') as [Kind, string]
        if (show(kind, Number(id)) !== before) changed.add(key)
      }
      return [...changed]
    },
    foreign() {
      for (const { run } of queue) run()
      const all = Object.entries(tables).flatMap(([kind, table]) => [...table.keys()].map((id) => `${kind} ${id}`))
      return all.filter((key) => !own.has(key))
    },
  }
}
