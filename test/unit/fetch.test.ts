import { describe, expect, it } from 'vitest'
import { createPetstore } from '../../src/index.js'

describe('what is worked out once', () => {
  it('is not changed by whoever reads the journal', async () => {
    const one = createPetstore()
    await one.fetch('/pets?limit=1&limit=2')
    const query = one.journal.entries()[0]?.query as unknown as { limit: string[] }
    query.limit.pop()
    const other = await createPetstore().fetch('/pets?limit=1&limit=2')
    expect(other.status).toBe(400)
  })

  it('is not changed by an override', async () => {
    const petstore = createPetstore()
    const end = petstore.override('listPets', ({ query, next }) => {
      query.limit = 1
      query.status?.pop()
      return next()
    })
    const path = '/pets?limit=3&status=sold&status=pending'
    const overridden = await (await petstore.fetch(path)).text()
    end()
    expect(await (await petstore.fetch(path)).text()).toBe(overridden)
    expect(JSON.parse(overridden)).toHaveLength(3)
  })
})

describe('a request that is aborted in the same breath', () => {
  it.each([
    ['GET', {}],
    ['DELETE', { method: 'DELETE' }],
    [
      'POST',
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Rex","categoryId":1}' },
    ],
  ])('never reaches the store: %s', async (_, init) => {
    const petstore = createPetstore({ scenario: 'single' })
    await petstore.fetch('/pets')
    const before = petstore.exportState()
    const controller = new AbortController()
    const answer = petstore.fetch('/pets/1', { ...init, signal: controller.signal })
    controller.abort()
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(petstore.exportState()).toEqual(before)
    expect(petstore.journal.total).toBe(1)
  })
})

describe('an address alone', () => {
  it.each([
    '/pets?limit=2#here',
    '/pets/../pets?limit=2',
    '//other.example/pets',
    'http://elsewhere.example/pets?limit=2',
    '/pets\\1',
  ])('is answered like the request that would be made of it: %s', async (address) => {
    const petstore = createPetstore()
    const [alone, made] = [await petstore.fetch(address), await petstore.fetch(address, {})]
    expect(alone.status).toBe(made.status)
    expect([...alone.headers]).toEqual([...made.headers])
    expect(await alone.text()).toBe(await made.text())
    const [first, second] = petstore.journal.entries()
    expect(first).toMatchObject({ path: second?.path, query: second?.query, request: second?.request })
  })

  it.each(['pets', 'http://user:secret@localhost/pets', 'http://'])(
    'is refused as a request is: %s',
    async (address) => {
      await expect(createPetstore().fetch(address)).rejects.toThrow(TypeError)
      await expect(createPetstore().fetch(address, {})).rejects.toThrow(TypeError)
    },
  )
})

it('takes the path of a fault rule as it is', () => {
  const { faults } = createPetstore()
  expect(() => faults.add({ path: '/pets/%' })).not.toThrow()
  expect(() => faults.add({ path: '/toys/%' })).toThrow('/path leads nowhere')
})
