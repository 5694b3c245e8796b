import { apiError, describeUnknown } from '../../http/errors.js'
import { quote } from '../../lib/text.js'
import type { PageQuery } from '../data/data-api.js'
import type { AdminTarget } from '../instance/admin-api.js'
import { type AdminHandlers, NO_CONTENT } from './handler.js'

/** The records of `data`. */
export const recordHandlers = {
  listRecords({ target, path, query }) {
    requireCollection(target, path.collection, 'all')
    const { records, total } = target.data.page(path.collection, query as PageQuery)
    return { status: 200, headers: { 'X-Total-Count': String(total) }, body: records }
  },
  createRecords({ target, path, body }) {
    const collection = requireCollection(target, path.collection, 'create')
    if (!Array.isArray(body)) return { status: 201, body: collection.create(body) }
    return { status: 201, body: collection.createMany(body.length, (index) => body[index]) }
  },
  getRecord: ({ target, path }) => ({ status: 200, body: requireRecord(target, path, 'find')[1] }),
  updateRecord({ target, path, body }) {
    const [collection] = requireRecord(target, path, 'update')
    return { status: 200, body: collection.update(path.recordId, body) }
  },
  deleteRecord({ target, path }) {
    const [collection] = requireRecord(target, path, 'delete')
    collection.delete(path.recordId)
    return NO_CONTENT
  },
} satisfies Partial<AdminHandlers>

/** A collection of `data`. Not every collection has every function. */
interface DataCollection {
  all(): unknown[]
  find(id: string): unknown
  create(fields: unknown): unknown
  createMany(count: number, fields: (index: number) => unknown): unknown[]
  update(id: string, fields: unknown): unknown
  delete(id: string): void
}

function requireCollection({ data }: AdminTarget, name: string, action: keyof DataCollection): DataCollection {
  const collections = data.data as Readonly<Record<string, DataCollection>>
  if (!Object.hasOwn(collections, name)) {
    throw apiError('COLLECTION_NOT_FOUND', describeUnknown('collection', name, Object.keys(collections)))
  }
  const collection = collections[name] as DataCollection
  if (action in collection) return collection
  throw apiError('INVALID_DATA', `Records of ${name} cannot be ${action === 'create' ? 'created' : 'deleted'}.`)
}

function requireRecord(
  target: AdminTarget,
  { collection: name, recordId }: { readonly collection: string; readonly recordId: string },
  action: keyof DataCollection,
): [collection: DataCollection, record: unknown] {
  const collection = requireCollection(target, name, action)
  const record = collection.find(recordId)
  if (record !== undefined) return [collection, record]
  throw apiError('RECORD_NOT_FOUND', `${name} has no record ${quote(recordId)}.`)
}
