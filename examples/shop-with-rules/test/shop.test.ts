import { createTest, expect } from 'petstore-mock/vitest'
import shop from '../shop.service.js'
import { buy, listAvailable } from '../src/shop.js'

const API = 'https://shop.example'
const test = createTest({ shop: { service: shop, baseUrl: API } })

test('lists what can be bought', async () => {
  expect(await listAvailable(API)).toEqual([{ id: 1, name: 'Kettle', stock: 2 }])
})

test('sells until there are none left', async ({ shop }) => {
  expect([await buy(API, 1), await buy(API, 1), await buy(API, 1)]).toEqual([
    { id: 1, productId: 1, units: 1 },
    { id: 2, productId: 1, units: 1 },
    undefined,
  ])
  expect(shop.data.products.find(1)).toMatchObject({ stock: 0 })
  expect(shop).toHaveReceivedTimes('order', 3, { body: { productId: 1 } })
})

test('says that it is sold out when another customer was faster', async ({ shop }) => {
  const [kettle] = await listAvailable(API)
  shop.data.products.update(1, { stock: 0 })
  expect(await buy(API, kettle?.id ?? 0)).toBeUndefined()
})

test('knows the operations and records of the shop', ({ shop }) => {
  // @ts-expect-error: the shop has no such operation
  expect(() => shop.override('getPet', { status: 200, body: {} })).toThrow('Unknown operation "getPet"')
  // @ts-expect-error: a product has no such property
  expect(() => shop.data.products.update(1, { colour: 'red' })).toThrow('Unknown field "colour"')
})
