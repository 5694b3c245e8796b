import { describe, expect, it } from 'vitest'
import { createPetstore } from '../../src/petstore/service.js'
import { verifiedPetstore } from '../../src/petstore/verify/service.js'
import { connectToService } from '../../src/tools/server/connection.js'
import { type Call, createRequests } from '../../src/tools/server/document-requests.js'
import type { Fetch } from '../../src/tools/server/send-request.js'
import { readOperations } from '../../src/tools/verify/operations.js'
import { createOwnRecords } from '../../src/tools/verify/own-records.js'
import { createResources } from '../../src/tools/verify/resources.js'
import { createWriteGuard, WriteRefused } from '../../src/tools/verify/write-guard.js'
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
    const service = verifiedPetstore()
    const [operations, resources] = [readOperations(service), createResources(service)]
    const own = createOwnRecords(resources)
    const requests = createRequests(service.contract, [], own.marker)
    const known = { operations, resources, requests, own }
    const guard = createWriteGuard(connectToService({ ...OPTIONS, fetch }), known, '', allowWrites)
    const send = async (id: string, call: Call) => {
      const operation = operations.get(id) ?? expect.fail(`No operation ${id}.`)
      return guard.send(operation, call, requests.toRequest(operation, call))
    }
    return { petstore, own, send, writes }
  }

  /** With a record of each kind created through the guard, in addition to the mock's own. */
  async function setUp() {
    const { petstore, own, send, writes } = await setUpWithoutRecords()
    const category = await send('createCategory', { body: { name: own.marker } })
    const categoryId = Number(category.createdId)
    await send('createPet', { body: { name: own.marker, categoryId } })
    await send('createOrder', { body: { shipDate: own.newDate() } })
    expect(own.all().map(({ resource }) => resource.noun)).toStrictEqual(['order', 'pet', 'category'])
    writes.length = 0
    return { petstore, own, send, writes, categoryId }
  }

  it.each<[string, Call, string]>([
    ['deletePet', { id: 1 }, 'verify did not create pet 1'],
    ['updatePet', { id: 1, body: { name: 'x', categoryId: 1 } }, 'verify did not create pet 1'],
    ['updateInventory', { id: 1, body: { quantity: 1 } }, 'verify did not create pet 1'],
    ['createPet', { body: { id: 1, name: 'x', categoryId: 1 } }, 'verify did not create pet 1, which the body names'],
    ['deletePet', { rawId: '01' }, 'a malformed id may be read as that of any record'],
    ['deletePet', { path: '/pets' }, 'the document does not say what DELETE /pets/{petId} changes'],
    ['getPet', { method: 'POST', id: 1, body: {} }, 'verify did not create pet 1'],
  ])('does not send %s with %j: %s', async (operation, call, reason) => {
    const { send, writes } = await setUp()
    const result = send(operation, call)
    await expect(result).rejects.toThrow(WriteRefused)
    await expect(result).rejects.toThrow(reason)
    expect(writes).toStrictEqual([])
  })

  it('sends no write at all if they are not allowed', async () => {
    const { send, writes } = await setUpWithoutRecords(false)
    await expect(send('createCategory', { body: { name: 'x' } })).rejects.toThrow('verify does not send')
    await expect(send('deletePet', { id: 7 })).rejects.toThrow('verify does not send')
    expect(writes).toStrictEqual([])
  })

  it('does not rely on 404 before it has read a record of that kind', async () => {
    const { send, writes } = await setUp()
    const { send: sendFirst, writes: firstWrites } = await setUpWithoutRecords()
    const unknown = { id: 8_000_000_000_000_001 }
    await expect(sendFirst('deletePet', unknown)).rejects.toThrow('no pet could be read')
    expect(firstWrites).toStrictEqual([])
    expect(await send('deletePet', unknown)).toMatchObject({ response: { status: 404 } })
    expect(writes).toStrictEqual(['DELETE /pets/8000000000000001'])
  })

  it('allows changes to a record that verify created, as long as it has its mark', async () => {
    const { petstore, own, send, categoryId } = await setUp()
    const { createdId } = await send('createCategory', { body: { name: `a ${own.marker}` } })
    const id = Number(createdId)
    const update = await send('updateCategory', { id, body: { name: `b ${own.marker}` } })
    expect(update).toMatchObject({ response: { status: 200 } })
    petstore.data.categories.update(id, { name: 'Changed' })
    await expect(send('deleteCategory', { id })).rejects.toThrow('does not read as verify created it')
    petstore.data.categories.update(id, { name: `b ${own.marker}` })
    expect(await send('deleteCategory', { id })).toMatchObject({ response: { status: 204 } })
    // It was deleted, and its id is unused.
    expect(await send('deleteCategory', { id })).toMatchObject({ response: { status: 404 } })
    const other = await send('updateCategory', { id: categoryId, body: { name: own.marker } })
    expect(other).toMatchObject({ response: { status: 200 } })
  })

  it('does not treat a record without the marker as created by verify', async () => {
    const { own, send, writes } = await setUp()
    const created = await send('createCategory', { body: { name: 'Dogs' } })
    expect(created).toMatchObject({ response: { status: 201 } })
    expect(created.createdId).toBeUndefined()
    const [unidentified] = own.unidentified
    await expect(send('deleteCategory', { id: Number(unidentified?.claimedId) })).rejects.toThrow(WriteRefused)
    expect(writes).toStrictEqual(['POST /categories'])
  })
})
