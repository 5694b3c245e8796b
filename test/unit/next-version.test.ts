import { beforeAll, describe, expect, it } from 'vitest'
import { createMock, createPetstore, definePetstore, loadDocument } from '../../src/index.js'
import { serviceOf } from '../../src/petstore/define-petstore.js'
import { isPetstore } from '../../src/petstore/next-version.js'
import {
  INTEGER,
  inPath,
  type Json,
  list,
  object,
  ref,
  returns,
  serveService,
  TEXT,
  takes,
} from '../support/small-documents.js'

/* Other versions of the Pet Store's document: the rules apply to what is left of it. */

// biome-ignore lint/suspicious/noExplicitAny: a document that tests change
type Document = any

let current: Document

beforeAll(async () => {
  current = await loadDocument('spec/openapi.yaml')
})

async function openVersion(change: (document: Document) => void, options: Json = {}) {
  const document = structuredClone(current)
  change(document)
  const service = serviceOf(document)
  return { ...(await serveService(service, options)), warnings: service.warnings }
}

const code = (expected: string) => ({ body: { code: expected } })

function rename(document: Document, from: string, to: string): void {
  const paths = Object.entries(document.paths).map(([path, item]) => [path.replace(from, to), item])
  document.paths = Object.fromEntries(paths)
}

function removePaths(document: Document, part: string): void {
  for (const path of Object.keys(document.paths)) if (path.includes(part)) delete document.paths[path]
}

describe('the document as it is', () => {
  it.each(['default', 'edge-cases', 'big-ids', 'empty'] as const)(
    'has the same data as the built-in service: %s',
    async (scenario) => {
      const { mock, warnings } = await openVersion(() => {}, { scenario })
      const builtIn = createPetstore({ scenario })
      await builtIn.ready
      const { specHash: _, ...expected } = builtIn.exportState()
      expect(mock.exportState()).toMatchObject(expected)
      expect(warnings).toStrictEqual([])
    },
  )

  it('has the same rules', async () => {
    const { send, mock } = await openVersion(() => {})
    expect(await send('POST /store/orders', { petId: 3 })).toMatchObject(code('PET_NOT_AVAILABLE'))
    expect(await send('PUT /pets/1', { name: 'Rex', categoryId: 1, status: 'sold' })).toMatchObject(
      code('INVALID_TRANSITION'),
    )
    expect(await send('DELETE /categories/1')).toMatchObject(code('CATEGORY_IN_USE'))
    expect(await send('POST /pets', { name: 'Rex', categoryId: 999 })).toMatchObject(code('UNKNOWN_CATEGORY'))
    expect(mock.data.orders?.create()).toMatchObject({ quantity: 1, complete: false })
    expect(mock.data.pets?.create({ stock: 0 })).toMatchObject({ status: 'sold' })
  })

  it('has none with rules: off', async () => {
    const { send } = await openVersion(() => {}, { rules: 'off' })
    expect((await send('POST /store/orders', { petId: 3 })).status).toBe(201)
  })
})

describe('what is new', () => {
  it('in a record has values that conform, in the starting data and in new records', async () => {
    const { send, mock, warnings } = await openVersion(({ components: { schemas } }) => {
      schemas.NewPet.properties.microchip = { type: 'string', pattern: '^[0-9]{15}$' }
      schemas.NewPet.required.push('microchip')
      schemas.InventoryItem.properties.shelf = { type: 'string', enum: ['A', 'B'] }
      schemas.InventoryItem.required.push('shelf')
      schemas.Order.properties.note = TEXT
    })
    expect(warnings).toStrictEqual([])
    const microchip = expect.stringMatching(/^\d{15}$/)
    expect((await send('GET /pets/1')).body).toMatchObject({ id: 1, status: 'available', microchip })
    expect((await send('GET /store/inventory/1')).body).toMatchObject({ shelf: expect.stringMatching(/^[AB]$/) })
    expect((await send('POST /pets', { name: 'Rex', categoryId: 1 })).status).toBe(400)
    expect((await send('POST /store/orders', { petId: 1, note: 'Hello' })).body).toMatchObject({ note: 'Hello' })
    expect(await send('POST /store/orders', { petId: 3, note: 'Hello' })).toMatchObject(code('PET_NOT_AVAILABLE'))
    expect(mock.data.pets?.create({ stock: 5 })).toMatchObject({ microchip })
  })

  it('are resources with state, whose records refer to pets, and operations', async () => {
    const { send } = await openVersion(({ components: { schemas }, paths }) => {
      schemas.Review = object({ id: INTEGER, petId: { ...INTEGER, format: 'int64' }, text: TEXT }, ['id', 'petId'])
      paths['/reviews'] = {
        get: { responses: { 200: returns(list(ref('Review'))) } },
        post: { ...takes(object({ petId: INTEGER, text: TEXT })), responses: { 201: returns(ref('Review')) } },
      }
      paths['/pets/{petId}/feed'] = {
        parameters: [inPath('petId')],
        post: { responses: { 200: returns(object({ isFed: { type: 'boolean' } }, ['isFed'])) } },
      }
    })
    const { body: reviews } = await send('GET /reviews')
    expect(reviews).toHaveLength(10)
    for (const { petId } of reviews) expect((await send(`GET /pets/${petId}`)).status).toBe(200)
    const { body: review } = await send('POST /reviews', { petId: 1, text: 'Fine.' })
    expect((await send('GET /reviews')).body).toContainEqual(review)
    expect(await send('POST /pets/1/feed')).toMatchObject({ status: 200, body: { isFed: expect.any(Boolean) } })
  })

  it('are paths and names: operations keep their rules under either', async () => {
    const { send, mock, warnings } = await openVersion((document) => {
      document.info.title = 'Shop'
      document.paths['/categories/{categoryId}'].delete.operationId = 'dropCategory'
      document.paths['/store/inventory/{petId}'].put.operationId = 'restock'
      rename(document, '/store/orders', '/purchases')
    })
    expect(warnings).toStrictEqual([])
    expect(await send('POST /purchases', { petId: 3 })).toMatchObject(code('PET_NOT_AVAILABLE'))
    expect(await send('PUT /store/inventory/3', { quantity: -1 })).toMatchObject(code('INVALID_QUANTITY'))
    expect(await send('DELETE /categories/1')).toMatchObject(code('CATEGORY_IN_USE'))
    expect(mock.data.orders?.create()).toMatchObject({ quantity: 1 })
  })
})

describe('new paths with the names of the rules', () => {
  const addPetOrders = (document: Document) => {
    const { get } = document.paths['/store/orders']
    document.paths['/pets/{petId}/orders'] = {
      parameters: [inPath('petId', INTEGER)],
      get: { operationId: 'listPetOrders', responses: get.responses },
    }
  }

  it('do not take the place of renamed ones', async () => {
    const { send, mock } = await openVersion((document) => {
      addPetOrders(document)
      rename(document, '/store/orders', '/purchases')
    })
    expect(await send('POST /purchases', { petId: 3 })).toMatchObject(code('PET_NOT_AVAILABLE'))
    expect(mock.data.orders?.create()).toMatchObject({ quantity: 1 })
    expect((await send('GET /pets/1/orders')).status).toBe(200)
  })

  it('are not used by rules when those are gone', async () => {
    const { send } = await openVersion((document) => {
      addPetOrders(document)
      removePaths(document, '/store/orders')
    })
    expect(await send('PUT /pets/1', { name: 'Rex', categoryId: 1, status: 'sold' })).toMatchObject(
      code('INVALID_TRANSITION'),
    )
    expect((await send('PUT /pets/1', { name: 'Rex', categoryId: 1 })).status).toBe(200)
    expect((await send('GET /pets/1/orders')).status).toBe(200)
  })
})

describe('what is gone', () => {
  it('is named with its rules: operations', async () => {
    const { send, warnings } = await openVersion(({ paths }) => {
      delete paths['/pets/{petId}'].delete
      delete paths['/pets'].get
    })
    expect(warnings).toStrictEqual(['Operations that are gone, with their rules: deletePet.'])
    expect((await send('DELETE /pets/1')).status).toBe(405)
    expect(await send('POST /store/orders', { petId: 3 })).toMatchObject(code('PET_NOT_AVAILABLE'))
  })

  it('is named with the rules that need it: the status of pets', async () => {
    const { send, warnings } = await openVersion(({ components: { schemas } }) => {
      delete schemas.NewPet.properties.status
    })
    expect(warnings).toStrictEqual([
      'The document has no status of pets. Rules that need it do not apply: updatePet, createOrder, updateOrder, deleteOrder, updateInventory.',
    ])
    expect((await send('POST /store/orders', { petId: 3 })).status).toBe(201)
    expect((await send('PUT /store/inventory/3', { quantity: 7 })).body).toMatchObject({ quantity: 7 })
    expect(await send('POST /pets', { name: 'Rex', categoryId: 999 })).toMatchObject(code('UNKNOWN_CATEGORY'))
  })

  it('is named with the rules that need it: values of the status', async () => {
    const { send, warnings } = await openVersion(({ components: { schemas } }) => {
      schemas.PetStatus.enum = ['in stock', 'gone']
    })
    expect(warnings).toStrictEqual([
      expect.stringMatching(/^In the document, status of pets cannot be available, pending, sold\. Rules .*updatePet/),
    ])
    expect((await send('POST /pets', { name: 'Rex', categoryId: 1 })).status).toBe(201)
    expect((await send('POST /pets', { name: 'Rex', categoryId: 1, status: 'gone' })).body.status).toBe('gone')
  })

  it('is named with the rules that need it: the stock', async () => {
    const { send, warnings } = await openVersion(({ components: { schemas } }) => {
      delete schemas.InventoryItem.properties.quantity
      schemas.InventoryItem.required = ['petId', 'status']
    })
    expect(warnings).toStrictEqual([
      'The document has no quantity of inventory. Rules that need it do not apply: updateInventory, stock of pets.',
    ])
    expect(await send('POST /store/orders', { petId: 1, quantity: 2 })).toMatchObject(code('INSUFFICIENT_STOCK'))
  })

  it.each([
    ['/store/orders', 'DELETE /pets/4', 204],
    ['/store/inventory', 'POST /store/orders', 409],
    ['/categories', 'POST /pets', 201],
  ])('can be all of %s', async (paths, request, status) => {
    const { send, warnings } = await openVersion((document) => removePaths(document, paths))
    expect(warnings.join()).toContain(`The document has no ${paths.replace('/store/', '').replace('/', '')}.`)
    const body = request.startsWith('POST') ? { petId: 3, name: 'Rex', categoryId: 999 } : undefined
    expect((await send(request, body)).status).toBe(status)
    expect((await send('PUT /pets/1', { name: 'Rex', categoryId: 5, status: 'sold' })).status).toBe(409)
  })
})

it('keeps its rules with ids of another kind', async () => {
  const { send, warnings } = await openVersion((document) => {
    const change = (value: Document): void => {
      if (typeof value !== 'object' || value === null) return
      if (value.format === 'int64') Object.assign(value, { type: 'string', format: 'uuid', example: undefined })
      for (const each of Object.values(value)) change(each)
    }
    change(document)
  })
  expect(warnings).toStrictEqual([])
  const { body: pets } = await send('GET /pets?status=sold')
  expect(await send('POST /store/orders', { petId: pets[0].id })).toMatchObject(code('PET_NOT_AVAILABLE'))
})

it('is recognised by its title, or by most of its operations', () => {
  const other = structuredClone(current)
  other.info.title = 'Shop'
  expect(isPetstore(other)).toBe(true)
  removePaths(other, '/store')
  expect(isPetstore(other)).toBe(false)
  expect(isPetstore({ ...other, info: { title: 'Pet Store Service' } })).toBe(true)
  expect(isPetstore({ openapi: '3.1.0', info: { title: 'Pet Store Service' }, paths: {} })).toBe(false)
})

it('in code is what definePetstore makes of a document', async () => {
  const mock = createMock(definePetstore(current), { scenario: 'single' })
  await mock.ready
  expect(mock.data.pets?.all()).toHaveLength(1)
})
