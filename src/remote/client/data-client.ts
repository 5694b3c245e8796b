import { MockError } from '../../engine/contract/errors.js'
import { encodePart } from '../../lib/encode-part.js'
import type { DataCollection } from '../../petstore/data.js'
import type { FixtureId } from '../../petstore/fixtures/format.js'
import { type AdminSender, toQuery } from './admin-sender.js'
import type { Async } from './types.js'

const PAGE_SIZE = 100

type DataClient<Entity = unknown, Fields = unknown> = Async<DataCollection<Entity, Fields>>

/** A collection for every name: only the mock knows its resources, and rejects the other names. */
export function createDataClients(sender: AdminSender): Readonly<Record<string, DataClient>> {
  const clients = new Map<string, DataClient>()
  return new Proxy(
    {},
    {
      get(_, name) {
        // A promise that resolves with it would wait for `then`.
        if (typeof name === 'symbol' || name === 'then' || name in Object.prototype) return undefined
        const client = clients.get(name) ?? createDataClient(sender, name)
        clients.set(name, client)
        return client
      },
    },
  )
}

/** The records of one resource, over the admin API. */
function createDataClient<Entity, Fields>({ send, find }: AdminSender, name: string): DataClient<Entity, Fields> {
  const path = `/data/${encodeURIComponent(name)}`
  function pathOf(id: FixtureId): string {
    const isValid = typeof id === 'string' ? id !== '' : typeof id === 'number' || typeof id === 'bigint'
    if (isValid) return `${path}/${encodePart(String(id))}`
    throw new MockError(
      'INVALID_DATA',
      `An id must be an integer or a text, but is ${id === '' ? 'empty' : String(id)}.`,
    )
  }

  return {
    create: (fields) => send('POST', path, fields === undefined ? {} : fields) as Promise<Awaited<Entity>>,
    async createMany(count, fields) {
      if (!Number.isSafeInteger(count) || count < 0) {
        const message = `data.${name}.createMany expects an integer of 0 or more, but received ${String(count)}.`
        throw new MockError('INVALID_DATA', message)
      }
      const fieldsOf = typeof fields === 'function' ? (fields as (index: number) => Fields | undefined) : () => fields
      const all = Array.from({ length: count }, (_, index) => fieldsOf(index)).map((each = {} as Fields) => each)
      const created: Entity[] = []
      try {
        while (created.length < count) {
          const batch = all.slice(created.length, created.length + PAGE_SIZE)
          created.push(...((await send('POST', path, batch)) as Entity[]))
        }
      } catch (error) {
        // Creates all of them or none, as far as the mock can be reached.
        for (const { id } of created as { id: FixtureId }[]) await send('DELETE', pathOf(id)).catch(() => {})
        throw error
      }
      return created
    },
    find: async (id) => (await find(pathOf(id), 'RECORD_NOT_FOUND')) as never,
    async all() {
      const records: Entity[] = []
      for (;;) {
        const page = (await send('GET', path + toQuery({ offset: records.length, limit: PAGE_SIZE }))) as Entity[]
        records.push(...page)
        if (page.length < PAGE_SIZE) return records
      }
    },
    update: async (id, fields) => (await send('PATCH', pathOf(id), fields)) as never,
    delete: async (id) => void (await send('DELETE', pathOf(id))),
  }
}
