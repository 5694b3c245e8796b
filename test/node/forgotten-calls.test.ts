import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { setupPetstore } from '../../src/adapters/node/index.js'
import { listen } from './listen.js'

const BASE = 'https://petstore.test'
const NEVER_LISTENING = 'The mock was never listening, so no request reached it. Call listen() first.'

describe('A mock that was never listening', () => {
  it('says so when it is closed', () => {
    expect(() => setupPetstore({ baseUrl: BASE }).close()).toThrow(NEVER_LISTENING)
  })

  it('says so after each test', () => {
    const petstore = setupPetstore({ baseUrl: BASE })
    for (let test = 0; test < 2; test++) {
      petstore.reset()
      expect(petstore.check).toThrow(NEVER_LISTENING)
    }
  })

  it('does not complain if its fetch was called', async () => {
    const petstore = setupPetstore({ baseUrl: BASE })
    await petstore.fetch('/pets')
    petstore.reset()
    petstore.close()
  })

  it('does not complain if its handlers are in a server', () => {
    const petstore = setupPetstore({ baseUrl: BASE })
    setupServer(...petstore.handlers)
    petstore.check()
  })
})

describe('A mock that was not closed', () => {
  it('is named by the file and line that called listen', async () => {
    const forgotten = setupPetstore({ baseUrl: BASE })
    forgotten.listen()
    onTestFinished(() => forgotten.close())
    const next = listen({ baseUrl: BASE })
    await fetch(`${BASE}/pets`).catch(() => {})
    expect(next.check).toThrow(
      /2 mocks that are listening \(listen\(\) was called at \S+forgotten-calls\.test\.ts:\d+:\d+ and at \S+listen\.ts:\d+:\d+\)\./,
    )
  })
})
