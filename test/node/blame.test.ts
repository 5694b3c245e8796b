import { afterEach, expect, it, vi } from 'vitest'
import { httpClients } from './http-clients.js'
import { listen } from './listen.js'

const BASE = 'https://petstore.test'

afterEach(() => vi.unstubAllGlobals())

function thrownBy(act: () => void): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  return expect.fail('Nothing was thrown.')
}

// Sends each request in a later turn of the event loop, without its caller.
const tested = httpClients.filter(({ name }) => name !== 'got')

it.each(tested)('shows in the stack where a request of $name was sent from', async ({ protocol, send }) => {
  const petstore = listen({ baseUrl: BASE })
  async function codeUnderTest(): Promise<void> {
    await send(`${protocol}//elsewhere.test/things`)
  }
  await codeUnderTest().catch(() => {})
  const { message, stack } = thrownBy(petstore.check)
  expect(stack).toContain(`MockError: ${message}\n`)
  expect(stack).toMatch(/codeUnderTest .*blame\.test\.ts/)
})

it('says when an error occurred, and in which test if the test runner has a global expect', async () => {
  const petstore = listen({ baseUrl: BASE })
  let currentTestName: string | undefined = 'orders a pet'
  vi.stubGlobal('expect', { getState: () => ({ currentTestName }) })
  await fetch('https://elsewhere.test/one').catch(() => {})
  currentTestName = undefined
  await fetch('https://elsewhere.test/two').catch(() => {})
  const lines = thrownBy(petstore.check).message.split('\n- ')
  expect(lines[1]).toMatch(/\/one was blocked .*\(at \d\d:\d\d:\d\d\.\d{3} UTC, in the test "orders a pet"\)$/)
  expect(lines[2]).toMatch(/\/two was blocked .*\(at \d\d:\d\d:\d\d\.\d{3} UTC\)$/)
})

it('resets every mock before one of them throws', async () => {
  const mocks = [listen({ baseUrl: BASE }), listen({ baseUrl: 'https://other.test' })]
  for (const { data } of mocks) data.pets.create({ name: 'Left over' })
  await fetch('https://elsewhere.test/').catch(() => {})
  for (const petstore of mocks) petstore.reset()
  // It is reported once.
  expect(mocks[0]?.check).toThrow('elsewhere.test')
  mocks[1]?.check()
  for (const petstore of mocks) {
    expect(petstore.data.pets.all().filter(({ name }) => name === 'Left over')).toEqual([])
  }
})

it('shows in the stack where an override was added whose response violates the OpenAPI document', async () => {
  const petstore = listen({ baseUrl: BASE })
  function addWrongOverride(): void {
    petstore.override('listPets', () => ({ status: 200, body: [{ id: 1, name: 5, categoryId: 1 } as never] }))
  }
  addWrongOverride()
  await fetch(`${BASE}/pets`).catch(() => {})
  const { message, stack } = thrownBy(petstore.check)
  expect(stack).toContain(`MockError: ${message}\n`)
  expect(stack).toMatch(/addWrongOverride .*blame\.test\.ts/)
})
