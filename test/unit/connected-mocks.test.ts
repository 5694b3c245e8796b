import { expect, it } from 'vitest'
import { createMock, createMocks, defineService, type ServiceOf } from '../../src/index.js'
import {
  GONE,
  INTEGER,
  inPath,
  type Json,
  list,
  object,
  returns,
  takes,
  toDocument,
} from '../support/small-documents.js'

/** Operations with names, because the tests use them. */
function documentOf(name: string, properties: Json) {
  const schema = object({ id: { ...INTEGER, readOnly: true }, ...properties })
  return toDocument({
    [`/${name}`]: {
      get: { operationId: 'list', responses: { 200: returns(list(schema)) } },
      post: { operationId: 'create', ...takes(schema), responses: { 201: returns(schema) } },
    },
    [`/${name}/{id}`]: {
      parameters: [inPath('id')],
      get: { operationId: 'read', responses: { 200: returns(schema) } },
      delete: { operationId: 'remove', responses: { 204: GONE, 409: returns({ type: 'object' }) } },
    },
  })
}

interface Invoice {
  id: number
  order: number
  total: number
}
type Billing = ServiceOf<Record<string, object>, { invoices: Invoice }>
type Shop = ServiceOf<Record<string, object>, { orders: { id: number } }, { billing: Billing }>

const billing = defineService<Billing>({
  document: documentOf('invoices', { order: INTEGER, total: { ...INTEGER, minimum: 1 } }),
  scenarios: { default: {} },
})

const shop = defineService<Shop>({
  document: documentOf('orders', { total: INTEGER }),
  errors: { BILLED: 409 },
  scenarios: { default: {} },
  operations: {
    create({ services }, standard) {
      const response = standard()
      const { id } = response.body as { id: string }
      services.billing.data.invoices.create({ order: Number(id), total: 5 })
      return response
    },
    async remove({ services, record, fail }, standard) {
      const response = await services.billing.fetch('/invoices')
      const invoices = (await response.json()) as Invoice[]
      if (invoices.some(({ order }) => order === Number(record?.id)))
        throw fail('BILLED', `Order ${record?.id} is billed.`)
      return standard()
    },
  },
})

const start = async () => {
  const mocks = createMocks({ shop, billing })
  await Promise.all([mocks.shop.ready, mocks.billing.ready])
  return mocks
}
const post = (body = '{"total":5}') => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } })

it('lets a handler arrange the data of another service', async () => {
  const mocks = await start()
  expect((await mocks.shop.fetch('/orders', post())).status).toBe(201)
  expect(mocks.billing.data.invoices.all()).toMatchObject([{ id: 1, order: 1, total: 5 }])
})

it('lets a handler wait for requests to another service, which its journal has', async () => {
  const mocks = await start()
  await mocks.shop.fetch('/orders', post())
  const removal = await mocks.shop.fetch('/orders/1', { method: 'DELETE' })
  expect([removal.status, await removal.json()]).toMatchObject([409, { message: 'Order 1 is billed.' }])
  expect(mocks.billing.journal.entries()).toMatchObject([{ operation: 'list', status: 200 }])
  await mocks.billing.fetch('/invoices/1', { method: 'DELETE' })
  expect((await mocks.shop.fetch('/orders/1', { method: 'DELETE' })).status).toBe(204)
  expect(mocks.shop.journal.entries()).toMatchObject([{ status: 201 }, { status: 409 }, { status: 204 }])
})

it('leads from a sandbox to the sandbox of the same name', async () => {
  const mocks = await start()
  await mocks.shop.fetch('/sandbox/a/orders', post())
  expect(mocks.billing.data.invoices.all()).toEqual([])
  expect(mocks.billing.sandboxes.open('a').data.invoices.all()).toMatchObject([{ order: 1 }])
})

it('changes nothing if the other service rejects what a handler does', async () => {
  const mocks = await start()
  mocks.billing.faults.add({ operation: 'list', status: 503 })
  await mocks.shop.fetch('/orders', post())
  await expect(mocks.shop.fetch('/orders/1', { method: 'DELETE' })).rejects.toThrow('The handler of remove')
  expect((await mocks.shop.fetch('/orders/1')).status).toBe(200)
})

it('says which service is missing', async () => {
  const message = 'A handler uses the service "billing", which is not connected.'
  for (const alone of [createMock(shop), createMocks({ shop }).shop]) {
    await alone.ready
    await expect(alone.fetch('/orders', post())).rejects.toThrow(message)
  }
})

it('arranges data without the handlers, which may wait for another service', async () => {
  const mocks = await start()
  const { id } = mocks.shop.data.orders.create({})
  mocks.shop.data.orders.delete(id)
  expect([mocks.shop.data.orders.all(), mocks.billing.data.invoices.all()]).toEqual([[], []])
})

it('uses the response of a waiting handler in an override', async () => {
  const mocks = await start()
  mocks.shop.data.orders.create({})
  const statuses: number[] = []
  mocks.shop.override('remove', async ({ next }) => {
    const response = await next()
    statuses.push(response.status)
    return response
  })
  expect((await mocks.shop.fetch('/orders/1', { method: 'DELETE' })).status).toBe(204)
  expect(statuses).toEqual([204])
})

it('rejects what is no service', () => {
  expect(() => createMocks({ shop: { service: {} } })).toThrow('Service "shop" must be what defineService returned')
})
