import { describe, expect, it } from 'vitest'
import { createPetstore } from '../../src/index.js'
import { describeAdapters } from '../support/adapters.js'
import { expectError, expectResponse, openClient, shop } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])
const fail = () => {
  throw new RangeError('swallowed')
}

describeAdapters('check() and reset()', (adapter) => {
  const open = async (options = {}) => {
    const api = await openClient(adapter, { fixtures, ...options })
    return { ...api, petstore: api.mock.petstore, send: (path: string) => api.get(path).catch(() => {}) }
  }

  it('reset() does not throw, and check() throws what happened before it', async () => {
    const { petstore, send } = await open()
    petstore.override('getPet', fail)
    await send('/pets/1')
    petstore.reset()
    await petstore.reset({ seed: 2 })
    expect(() => petstore.check()).toThrow('swallowed')
    petstore.check()
  })

  it('the errors of a sandbox are thrown by its own check() or by that of the root, and by no other sandbox', async () => {
    const { petstore, send } = await open()
    const [a, b] = [petstore.sandboxes.open('a'), petstore.sandboxes.open('b')]
    a.override('getPet', fail)
    await send('/sandbox/a/pets/1')
    b.reset()
    b.check()
    expect(() => a.check()).toThrow('swallowed')
    petstore.check()
    await send('/sandbox/a/pets/1')
    expect(() => petstore.check()).toThrow('swallowed')
    a.check()
  })

  it('POST /__admin/check returns what check() would throw, and drops it', async () => {
    const { petstore, send, get, post } = await open({ failOnUnused: true })
    const [a, b] = [petstore.sandboxes.open('a'), petstore.sandboxes.open('b')]
    expectResponse(await post('/__admin/check'), 200, { errors: [] })
    a.override('getPet', fail)
    b.faults.add({ status: 503 })
    await send('/sandbox/a/pets/1')
    expectResponse(await post('/sandbox/a/__admin/check'), 200, { errors: [{ message: 'swallowed' }] })
    a.check()
    const message = 'Fault rule 1 was never applied. The option failOnUnused forbids it.'
    expectResponse(await post('/__admin/check'), 200, { errors: [{ code: 'UNUSED_RULE', message }] })
    petstore.check()
    b.check()
    expectError(await get('/__admin/check'), 405, 'METHOD_NOT_ALLOWED', 'POST')
  })

  it('failOnUnused makes check() throw for what was never applied, once', async () => {
    const { petstore, send } = await open({ failOnUnused: true })
    petstore.faults.add({ operation: 'createOrder', status: 503 })
    petstore.override('getPet', { status: 500 })
    petstore.override('listPets', { status: 500 })
    await send('/pets/1')
    expect(() => petstore.check()).toThrow(
      /Fault rule 1 for createOrder was never applied[\s\S]*Override 2 for listPets was never applied/,
    )
    petstore.check()
    petstore.reset()
    petstore.check()
    petstore.faults.add({ status: 503 })
    petstore.reset()
    expect(() => petstore.check()).toThrow('Fault rule 1 was never applied. The option failOnUnused forbids it.')
  })

  it('failOnUnused reports what was removed, and what is in a sandbox', async () => {
    const { petstore } = await open({ failOnUnused: true })
    petstore.faults.add({ status: 503 }).remove()
    petstore.sandboxes.open('a').override('getPet', { status: 500 })
    petstore.sandboxes.open('b').override('listPets', { status: 500 })
    petstore.sandboxes.delete('b')
    expect(() => petstore.check()).toThrow(
      /Override 1 for listPets was never applied[\s\S]*Override 1 for getPet[\s\S]*Fault rule 1 was never applied/,
    )
  })

  it('the root still has the errors of a sandbox after another sandbox made many', async () => {
    const { petstore, send } = await open()
    for (const name of ['a', 'b']) petstore.sandboxes.open(name).override('getPet', fail)
    for (let count = 0; count < 12; count += 1) await send('/sandbox/a/pets/1')
    await send('/sandbox/b/pets/1')
    expect(() => petstore.sandboxes.open('a').check()).toThrow('and 2 more')
    expect(() => petstore.check()).toThrow('swallowed')
  })

  it('requireSandbox rejects requests to the API that name no sandbox', async () => {
    const { get, petstore } = await open({ requireSandbox: true })
    expect(await get('/pets/1')).toMatchObject({
      status: 400,
      body: { code: 'SANDBOX_REQUIRED', message: expect.stringMatching(/^GET "\/pets\/1" does not name a sandbox/) },
    })
    expect(petstore.journal.entries()[0]?.violations).toBeUndefined()
    expect((await get('/sandbox/a/pets/1')).status).toBe(200)
    expect((await get('/__admin/health')).status).toBe(200)
    expect((await get('/openapi.json')).status).toBe(200)
  })
})

describe('a handle', () => {
  it('removes a fault or an override at the end of a using block', async () => {
    const petstore = createPetstore({ fixtures })
    const statuses = async () => [(await petstore.fetch('/pets/1')).status, (await petstore.fetch('/pets')).status]
    {
      using _fault = petstore.faults.add({ operation: 'getPet', status: 503 })
      using _override = petstore.override('listPets', { status: 500 })
      expect(await statuses()).toEqual([503, 500])
    }
    expect(await statuses()).toEqual([200, 200])
    expect([petstore.faults.list(), petstore.overrides.list()]).toEqual([[], []])
  })

  it('is plain data for comparisons and JSON', () => {
    const petstore = createPetstore({ fixtures })
    const fault = petstore.faults.add({ status: 503 })
    expect(petstore.faults.list()).toEqual([fault])
    expect(JSON.parse(JSON.stringify(fault))).toEqual(petstore.faults.list()[0])
  })
})
