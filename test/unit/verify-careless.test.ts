import { describe, expect, it } from 'vitest'
import { createPetstore } from '../../src/index.js'
import { verifiedPetstore } from '../../src/petstore/verify/service.js'
import { connectToService } from '../../src/remote/connection.js'
import type { Fetch } from '../../src/remote/send-request.js'
import { readCarelessly } from '../../src/remote/verify/careless-readings.js'
import { createOwnRecords } from '../../src/remote/verify/own-records.js'
import { createResources } from '../../src/remote/verify/resources.js'
import { createWriteGuard, WriteRefused } from '../../src/remote/verify/write-guard.js'
import { CARELESS } from '../support/careless-service.js'
import { isFullRun } from '../support/full-run.js'
import { expectHarmless } from '../support/verify.js'

const OPTIONS = { baseUrl: 'http://localhost', headers: [], timeoutMs: 60_000 }

const KINDS = isFullRun
  ? Object.keys(CARELESS)
  : ['writes to the id in the body', 'deletes later, and returns the ids of jobs']

describe('a careless service', () => {
  it.each(KINDS)('keeps all of its own records: one that %s', expectHarmless)
})

describe('the guard', () => {
  async function setUpWithoutRecords(allowWrites = true) {
    const petstore = createPetstore({ scenario: 'single' })
    await petstore.ready
    const writes: string[] = []
    const fetch: Fetch = (url, { signal, ...init }) => {
      if (init.method !== 'GET') writes.push(`${init.method} ${url.slice(OPTIONS.baseUrl.length)}`)
      return petstore.fetch(url, init)
    }
    const resources = createResources(verifiedPetstore())
    const own = createOwnRecords(resources)
    const guard = createWriteGuard(connectToService({ ...OPTIONS, fetch }), resources, own, '', allowWrites)
    const send = (operation: Parameters<typeof guard.send>[0], method: string, target: string, body?: string) => {
      const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
      return guard.send(operation, { method, target, headers, body })
    }
    return { petstore, own, send, writes }
  }

  /** With a record of each kind created through the guard, in addition to the mock's own. */
  async function setUp() {
    const { petstore, own, send, writes } = await setUpWithoutRecords()
    const category = await send('createCategory', 'POST', '/categories', `{"name":"${own.marker}"}`)
    const categoryId = category.createdId
    const pet = await send('createPet', 'POST', '/pets', `{"name":"${own.marker}","categoryId":${categoryId}}`)
    await send('createOrder', 'POST', '/store/orders', `{"shipDate":"${own.newDate()}"}`)
    expect(own.all().map(({ resource }) => resource.noun)).toStrictEqual(['order', 'pet', 'category'])
    writes.length = 0
    return { petstore, own, send, writes, categoryId, petId: pet.createdId }
  }

  it.each([
    ['DELETE', '/pets/1', undefined, 'pet 1'],
    ['DELETE', '/pets/01', undefined, 'pet 1'],
    ['DELETE', '/pets/0x1', undefined, 'pet 1'],
    ['DELETE', '/pets/1/orders', undefined, 'pet 1'],
    ['PUT', '/pets/+1', '{"name":"x"}', 'pet 1'],
    ['PUT', '/store/inventory/1', '{"quantity":1}', 'pet 1'],
    ['PATCH', '/store/orders/1e0', '{}', 'order 1'],
    ['POST', '/pets', '{"id":1,"name":"x"}', 'pet 1'],
    ['POST', '/pets', '{"name":"x","categoryId":"1"}', 'category 1'],
    ['POST', '/store/orders', '{ "petId" : "1" ', 'pet 1'],
  ])('does not send %s %s %s, which may affect %s', async (method, target, body, name) => {
    const { petstore, send, writes } = await setUp()
    await petstore.fetch('/store/orders', {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    })
    const result = send('updatePet', method, target, body)
    await expect(result).rejects.toThrow(WriteRefused)
    await expect(result).rejects.toThrow(`a careless service might write to ${name}`)
    expect(writes).toStrictEqual([])
  })

  it.each([
    ['DELETE', '/pets', undefined],
    ['DELETE', '/pets/', undefined],
    ['POST', '/pets/7', '{}'],
    ['POST', '/__admin/reset', '{}'],
  ])('never sends %s %s %s', async (method, target, body) => {
    const { send, writes } = await setUp()
    await expect(send('updatePet', method, target, body)).rejects.toThrow('verify does not send')
    expect(writes).toStrictEqual([])
  })

  it('sends no write at all if they are not allowed', async () => {
    const { send, writes } = await setUpWithoutRecords(false)
    await expect(send('createCategory', 'POST', '/categories', '{"name":"x"}')).rejects.toThrow('verify does not send')
    await expect(send('deletePet', 'DELETE', '/pets/7')).rejects.toThrow('verify does not send')
    expect(writes).toStrictEqual([])
  })

  it('does not rely on 404 before it has read a record of that kind', async () => {
    const { send, writes } = await setUp()
    const { send: sendFirst, writes: firstWrites } = await setUpWithoutRecords()
    await expect(sendFirst('deletePet', 'DELETE', '/pets/8000000000000001')).rejects.toThrow('no pet could be read')
    expect(firstWrites).toStrictEqual([])
    expect(await send('deletePet', 'DELETE', '/pets/8000000000000001')).toMatchObject({ response: { status: 404 } })
    expect(writes).toStrictEqual(['DELETE /pets/8000000000000001'])
  })

  it('allows changes to a record that verify created, as long as no other client has changed it', async () => {
    const { petstore, own, send, categoryId } = await setUp()
    const target = `/categories/${categoryId}`
    const created = await send('createCategory', 'POST', '/categories', `{"name":"a ${own.marker}"}`)
    const other = `/categories/${created.createdId}`
    const update = await send('updateCategory', 'PUT', other, `{"name":"b ${own.marker}"}`)
    expect(update).toMatchObject({ response: { status: 200 } })
    petstore.data.categories.update(created.createdId as never, { name: 'Changed' })
    await expect(send('deleteCategory', 'DELETE', other)).rejects.toThrow('does not read as verify created it')
    petstore.data.categories.update(created.createdId as never, { name: `b ${own.marker}` })
    expect(await send('deleteCategory', 'DELETE', other)).toMatchObject({ response: { status: 204 } })
    // It was deleted, and its id is unused.
    expect(await send('deleteCategory', 'DELETE', other)).toMatchObject({ response: { status: 404 } })
    expect(await send('updateCategory', 'PUT', target, `{"name":"${own.marker}"}`)).toMatchObject({
      response: { status: 200 },
    })
  })

  it('does not change an order whose pet has been replaced by a pet of others', async () => {
    const { petstore, own, send, writes, petId } = await setUp()
    const body = `{"petId":${petId},"shipDate":"${own.newDate()}"}`
    const { createdId } = await send('createOrder', 'POST', '/store/orders', body)
    petstore.data.pets.update(petId as never, { name: 'Changed' })
    await expect(send('deleteOrder', 'DELETE', `/store/orders/${createdId}`)).rejects.toThrow(WriteRefused)
    expect(writes).toStrictEqual(['POST /store/orders'])
  })

  it('does not treat a record without the marker as created by verify', async () => {
    const { own, send, writes } = await setUp()
    const created = await send('createCategory', 'POST', '/categories', '{"name":"Dogs"}')
    expect(created).toMatchObject({ response: { status: 201 } })
    expect(created.createdId).toBeUndefined()
    const [unidentified] = own.unidentified
    const target = `/categories/${unidentified?.claimedId}`
    await expect(send('deleteCategory', 'DELETE', target)).rejects.toThrow(WriteRefused)
    expect(writes).toStrictEqual(['POST /categories'])
  })
})

it.each([
  ['01', ['1']],
  ['%201', ['1']],
  ['1.9', ['1']],
  ['1e2', ['100', '1']],
  ['0x1f', ['0', '31']],
  ['abc', ['0']],
  ['4294967301', ['4294967301', '5']],
  ['9007199254740993', ['9007199254740993', '9007199254740992', '1']],
  ['9223372036854775808', ['9223372036854775807', '-9223372036854775808', '0']],
  ['%zz', ['0']],
])('lists the ids that a careless service might read in %j', (text, expected) => {
  expect(readCarelessly(text)).toEqual(expect.arrayContaining(expected))
})
