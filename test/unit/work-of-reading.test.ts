import { expect, it } from 'vitest'
import { checkDocument } from '../../src/document/load/check-document.js'
import { summarizeService } from '../../src/engine/mock/summary.js'
import { createMock, defineService } from '../../src/index.js'
import {
  content,
  INTEGER,
  inPath,
  inQuery,
  type Json,
  list,
  object,
  ref,
  returns,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/** The paths of one resource of many, and its record. */
type MakeResource = (index: number, count: number) => { paths: Json; record: Json }

const RECORD = { id: { ...INTEGER, readOnly: true }, name: TEXT }

function crud(schema: string, path: string, item = `${path}/{id}`, query: Json[] = []): Json {
  const parents = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inPath(name))
  return {
    [path]: {
      parameters: parents,
      get: { parameters: query, responses: { 200: returns(list(ref(schema))) } },
      post: { ...takes(ref(schema)), responses: { 201: returns(ref(schema)), 400: { description: 'No.' } } },
    },
    [item]: {
      parameters: [...(item.startsWith(path) ? parents : []), inPath('id')],
      get: { responses: { 200: returns(ref(schema)) } },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
  }
}

const DOCUMENTS: Readonly<Record<string, MakeResource>> = {
  'collections that refer to each other': (index, count) => ({
    paths: crud(`Thing${index}`, `/api/v1/thing${index}s`, undefined, [inQuery(`filter${index}`), inQuery('name')]),
    record: { ...RECORD, [`thing${(index + 1) % count}Id`]: INTEGER, next: ref(`Thing${(index + 1) % count}`) },
  }),
  'collections inside others': (index) => ({
    paths: {
      ...crud(`Thing${index}`, `/thing${index}s`),
      ...crud(`Thing${index}`, `/thing${index}s/{thingId}/parts`),
      [`/owners/{ownerId}/thing${index}s`]: {
        parameters: [inPath('ownerId')],
        get: { responses: { 200: returns(list(ref(`Thing${index}`))) } },
      },
    },
    record: { ...RECORD, thingId: INTEGER, ownerId: INTEGER },
  }),
  'a chain of collections': (index, count) => {
    const isLast = index === count - 1
    const path = isLast ? `/thing${index}s` : `/thing${index + 1}s/{outerId}/thing${index}s`
    return { paths: crud(`Thing${index}`, path, `/thing${index}s/{id}`), record: RECORD }
  },
  'collections with the same noun': (index) => ({
    paths: crud(`Item${index}`, `/x${index}/{xId}/items`),
    record: { ...RECORD, itemId: { ...TEXT, format: 'uuid' }, item: object({ [`of${index}`]: TEXT }) },
  }),
  'lists and actions': (index) => ({
    paths: {
      [`/report${index}s`]: { get: { responses: { 200: returns(list(ref(`Thing${index}`))) } } },
      [`/do/action${index}`]: { post: { requestBody: content(INTEGER), responses: { 200: returns(INTEGER) } } },
    },
    record: RECORD,
  }),
  'records that cannot exist': (index) => ({
    paths: crud(`Thing${index}`, `/thing${index}s`),
    record: { ...RECORD, name: { allOf: [{ ...TEXT, minLength: 5 }, { maxLength: 2 }] } },
  }),
}

function makeDocument(make: MakeResource, count: number): object {
  const made = Array.from({ length: count }, (_, index) => make(index, count))
  const names = made.map(({ paths }, index) => (JSON.stringify(paths).includes('Item') ? 'Item' : 'Thing') + index)
  return toDocument(
    Object.assign({}, ...made.map(({ paths }) => paths)),
    Object.fromEntries(made.map(({ record }, index) => [names[index], object(record, ['name'])])),
  )
}

async function readAndStart(document: object): Promise<void> {
  checkDocument(document)
  const service = defineService({ document })
  const mock = createMock(service)
  await mock.ready
  summarizeService(service)
  await mock.importState(mock.exportState())
  for (const path of ['openapi.json', 'data']) await mock.fetch(new Request(`http://mock/__admin/${path}`))
}

/** How many items of lists with at least this length are looked at while it runs. */
async function countItems(length: number, run: () => Promise<void>): Promise<number> {
  let count = 0
  const prototype = Array.prototype as unknown as Record<string | symbol, (...args: never[]) => unknown>
  const originals = [...CALLING, ...WHOLE].map((name) => [name, prototype[name]] as const)
  const originalOf = new Map(originals)
  for (const name of CALLING) {
    prototype[name] = function (this: unknown[], callback: (...args: unknown[]) => unknown, ...others: never[]) {
      const counting = (...args: unknown[]) => {
        if (this.length >= length) count += 1
        return callback(...args)
      }
      return originalOf.get(name)?.apply(this, [counting as never, ...others])
    }
  }
  for (const name of WHOLE) {
    prototype[name] = function (this: unknown[], ...args: never[]) {
      if (this.length >= length) count += this.length
      return originalOf.get(name)?.apply(this, args)
    }
  }
  try {
    await run()
  } finally {
    for (const [name, original] of originals) if (original) prototype[name] = original
  }
  return count
}

const CALLING = ['find', 'findIndex', 'findLast', 'findLastIndex', 'some', 'every', 'filter', 'map', 'flatMap']
const WHOLE = ['includes', 'indexOf', 'slice', 'concat', 'flat', 'sort', 'join', Symbol.iterator]

it.each(Object.entries(DOCUMENTS))('reads %s with work in proportion to the document', async (_, make) => {
  const few = 50
  const many = 3 * few
  const least = await countItems(few, () => readAndStart(makeDocument(make, few)))
  const most = await countItems(many, () => readAndStart(makeDocument(make, many)))
  // If every resource were compared with all others, it would be nine times as much.
  expect(most / least).toBeLessThan(4)
})
