import { expect, it, onTestFinished } from 'vitest'
import { type AnyService, defineService, MockError } from '../../src/index.js'
import { type Adapter, describeAdapters } from '../support/adapters.js'
import { inPath, inQuery, list, object, returns, TEXT, takes, toDocument } from '../support/small-documents.js'

const NUMBER = { type: 'integer', minimum: 1 }
const MADE = { ...NUMBER, readOnly: true }
const STATUS = { type: 'string', enum: ['new', 'shipped'], readOnly: true }
const SENT = object({ customerId: NUMBER, note: TEXT }, ['customerId'])
const ORDER = object({ id: MADE, status: STATUS, customerId: NUMBER, note: TEXT }, ['id', 'status', 'customerId'])
const CUSTOMER = object({ id: MADE, name: { ...TEXT, minLength: 1 } }, ['id', 'name'])
const LINE = object({ id: MADE, text: TEXT }, ['id', 'text'])
const KEY = { name: 'Idempotency-Key', in: 'header', required: true, schema: TEXT }

/** Clients may do little: no operation changes or deletes anything, and one that creates needs a header and a token. */
const shop = defineService<AnyService>({
  document: {
    ...toDocument({
      '/orders': {
        get: { parameters: [{ ...inQuery('page'), required: true }], responses: { 200: returns(list(ORDER)) } },
        post: {
          operationId: 'placeOrder',
          parameters: [KEY],
          security: [{ token: [] }],
          ...takes(SENT),
          responses: { 201: returns(ORDER) },
        },
      },
      '/orders/{orderId}': { parameters: [inPath('orderId')], get: { responses: { 200: returns(ORDER) } } },
      '/orders/{orderId}/lines': { parameters: [inPath('orderId')], get: { responses: { 200: returns(list(LINE)) } } },
      '/customers': { get: { responses: { 200: returns(list(CUSTOMER)) } } },
    }),
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  },
  errors: { CLOSED: 409 },
  resources: { orders: { references: { customerId: 'customers' } } },
  operations: {
    placeOrder({ fail }) {
      throw fail('CLOSED', 'The shop is closed.')
    },
  },
  scenarios: {
    default: { orders: [{ id: 1, status: 'new', customerId: 1 }], customers: [{ id: 1, name: 'Ada' }] },
  },
})

async function openShop(adapter: Adapter) {
  const running = await adapter.openService(shop)
  onTestFinished(() => running.close())
  const { orders, customers, lines } = running.mock.data
  if (!orders || !customers || !lines) return expect.fail('A collection is missing.')
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await running.fetch(`/__admin/data${path}`, { method, headers, body: JSON.stringify(body) })
    return { status: response.status, body: response.status === 204 ? undefined : await response.json() }
  }
  return { ...running, orders, customers, lines, send }
}

describeAdapters('The data of a service', (adapter) => {
  it('takes every property of a record, and needs no operation, header or handler', async () => {
    const { orders, customers, fetch } = await openShop(adapter)
    const shipped = { id: 2, status: 'shipped', customerId: 1, note: 'Fragile' }
    expect(orders.create({ status: 'shipped', customerId: 1, note: 'Fragile' })).toEqual(shipped)
    expect(await (await fetch('/orders/2')).json()).toEqual(shipped)
    expect(orders.update(2, { status: 'new', note: 'Sent' })).toEqual({ ...shipped, status: 'new', note: 'Sent' })
    expect(orders.update(2, { note: null })).toEqual({ id: 2, status: 'new', customerId: 1 })
    expect(orders.delete(2)).toBeUndefined()
    expect((await fetch('/orders/2')).status).toBe(404)
    expect(customers.create({ id: 7, name: 'Eve' })).toEqual({ id: 7, name: 'Eve' })
    expect(customers.createMany(2)).toMatchObject([{ id: 2 }, { id: 3 }])
    expect(orders.create().customerId).toEqual(expect.any(Number))
  })

  it('does the same for clients of the admin API', async () => {
    const { send } = await openShop(adapter)
    const created = { id: 2, status: 'shipped', customerId: 1 }
    expect(await send('POST', '/orders', { status: 'shipped', customerId: 1, note: null })).toMatchObject({
      status: 422,
      body: { message: 'data.orders.create: /note must be a string, but is null' },
    })
    const note = { note: 'Fragile' }
    expect(await send('POST', '/orders', { ...created, ...note })).toEqual({
      status: 201,
      body: { ...created, ...note },
    })
    expect(await send('PATCH', '/orders/2', { note: 'x' })).toMatchObject({ status: 200, body: { note: 'x' } })
    expect(await send('DELETE', '/orders/2')).toEqual({ status: 204, body: undefined })
    expect((await send('GET', '/orders/2')).status).toBe(404)
  })

  it('has nested records, whose parents can be chosen and changed', async () => {
    const { orders, lines, fetch } = await openShop(adapter)
    orders.create({ id: 5, customerId: 1 })
    const { id } = lines.create({ orderId: 5, text: 'Two hats' })
    expect(await (await fetch('/orders/5/lines')).json()).toEqual([{ id, text: 'Two hats' }])
    lines.update(id as number, { orderId: 1 })
    expect(await (await fetch('/orders/1/lines')).json()).toEqual([{ id, text: 'Two hats' }])
    orders.delete(1)
    expect(lines.all()).toEqual([])
  })

  it.each<[string, RegExp, (shop: Awaited<ReturnType<typeof openShop>>) => unknown]>([
    [
      'a status',
      /data.orders.create: \/status must be one of new, shipped/,
      (s) => s.orders.create({ status: 'lost' }),
    ],
    ['a removed field', /data.orders.update: \/status is missing/, (s) => s.orders.update(1, { status: null })],
    ['a name', /data.customers.update: \/name must be a non-empty/, (s) => s.customers.update(1, { name: '' })],
    ['a reference', /\/customerId must be the id of a customer, but/, (s) => s.orders.create({ customerId: 9 })],
    ['a changed reference', /\/customerId must be the id of a/, (s) => s.orders.update(1, { customerId: 9 })],
    ['what others refer to', /Customer 1 still has orders/, (s) => s.customers.delete(1)],
    [
      'a parent',
      /\/orderId must be the id of an order, but no order has the id 9/,
      (s) => s.lines.create({ orderId: 9 }),
    ],
    ['a field', /Unknown field "stat". Did you mean "status"\?/, (s) => s.orders.create({ stat: 'new' })],
    ['an id', /The id 1 is already in use/, (s) => s.orders.create({ id: 1 })],
    ['another id', /\/id is the id of the order, which cannot change/, (s) => s.orders.update(1, { id: 2 })],
    ['a missing record', /data.orders.update: No order has the id 9/, (s) => s.orders.update(9, {})],
  ])('rejects %s that the service cannot have, and changes nothing', async (_, message, act) => {
    const opened = await openShop(adapter)
    const before = opened.mock.exportState()
    expect(() => act(opened)).toThrow(message)
    expect(() => act(opened)).toThrow(MockError)
    expect(opened.mock.exportState()).toEqual(before)
  })

  it('are listed with no filter but those that are given, whatever the list operation requires of clients', async () => {
    const parameters = [
      { ...inQuery('customerId', NUMBER), required: true },
      inQuery('status', { type: 'string', enum: ['new', 'shipped'], default: 'new' }),
      inQuery('sort', { type: 'string', enum: ['id', '-id'], default: '-id' }),
    ]
    const filtered = defineService<AnyService>({
      document: toDocument({
        '/orders': { get: { parameters, responses: { 200: returns(list(ORDER)) } } },
        '/orders/{orderId}': { parameters: [inPath('orderId')], get: { responses: { 200: returns(ORDER) } } },
      }),
      scenarios: {
        default: {
          orders: [
            { id: 1, status: 'shipped', customerId: 1 },
            { id: 2, status: 'new', customerId: 2 },
          ],
        },
      },
    })
    const running = await adapter.openService(filtered)
    onTestFinished(() => running.close())
    const idsOf = async (query: string) => {
      const response = await running.fetch(`/__admin/data/orders${query}`)
      return response.status === 200 ? (await response.json()).map(({ id }: { id: number }) => id) : response.status
    }
    expect(await idsOf('')).toEqual([2, 1])
    expect(await idsOf('?sort=id')).toEqual([1, 2])
    expect(await idsOf('?status=shipped')).toEqual([1])
    expect(await idsOf('?status=new&customerId=2')).toEqual([2])
    expect(await idsOf('?customerId=none')).toBe(400)
  })
})
