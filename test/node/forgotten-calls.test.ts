import fs from 'node:fs'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type NodePetstore, setupPetstore } from '../../src/adapters/node/index.js'
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

  it('does not complain if its fetch was called with an unknown path', async () => {
    const petstore = setupPetstore({ baseUrl: BASE })
    await petstore.fetch('/nope')
    petstore.close()
  })

  it('says so even if its properties were copied', () => {
    const petstore = setupPetstore({ baseUrl: BASE })
    expect({ ...petstore }).not.toHaveProperty('handlers')
    expect(petstore.check).toThrow(NEVER_LISTENING)
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

describe('At the end of the process', () => {
  /** What is printed if the process ends after this. */
  function collectReminders(act: () => NodePetstore, exitCode = 0): unknown[] {
    const before = process.listeners('exit')
    const petstore = act()
    const added = process.listeners('exit').filter((each) => !before.includes(each))
    const write = vi.spyOn(fs, 'writeSync').mockReturnValue(0)
    for (const listener of added) listener(exitCode)
    const printed = write.mock.calls.map(([, text]) => text)
    write.mockRestore()
    petstore.reset()
    try {
      petstore.close()
    } catch {}
    expect(process.listeners('exit')).toEqual(before)
    return printed
  }

  const setup = () => setupPetstore({ baseUrl: BASE })

  it('says nothing of a mock whose listen has thrown', () => {
    const server = setupServer()
    server.listen()
    onTestFinished(() => server.close())
    const listenInVain = () => {
      const petstore = setup()
      expect(petstore.listen).toThrow('Another msw server is listening')
      return petstore
    }
    expect(collectReminders(listenInVain)).toEqual([])
  })

  function forgetToClose(): NodePetstore {
    const petstore = setup()
    petstore.listen()
    return petstore
  }

  it('a mock that was not closed is named by file and line', () => {
    expect(collectReminders(forgetToClose)).toEqual([
      expect.stringMatching(
        /^petstore-mock: A mock was not closed\. .* Its listen\(\) was called at \S+forgotten-calls\.test\.ts:\d+:\d+\.\n$/,
      ),
    ])
  })

  it('a mock that was never listening is named by file and line', () => {
    expect(collectReminders(setup)).toEqual([
      expect.stringMatching(/ was never listening, .* It was created at \S+forgotten-calls\.test\.ts:\d+:\d+\.\n$/),
    ])
  })

  it('nothing is printed if the process failed', () => {
    expect(collectReminders(forgetToClose, 1)).toEqual([])
  })

  it.each<[string, (petstore: NodePetstore) => void]>([
    [
      'was closed',
      (petstore) => {
        petstore.listen()
        petstore.close()
      },
    ],
    ['has its handlers in a server', (petstore) => void setupServer(...petstore.handlers)],
    ['said so in check()', (petstore) => expect(petstore.check).toThrow(NEVER_LISTENING)],
  ])('nothing is printed if the mock %s', (_, use) => {
    const act = () => {
      const petstore = setup()
      use(petstore)
      return petstore
    }
    expect(collectReminders(act)).toEqual([])
  })

  it('nothing is printed of a mock whose starting data is invalid', async () => {
    const before = process.listeners('exit')
    const petstore = setupPetstore({
      baseUrl: BASE,
      scenario: 'busy',
      seed: 7,
      fixtures: { pets: [{ id: 'x' }] } as never,
    })
    await expect(petstore.ready).rejects.toThrow('The fixture is invalid')
    expect(process.listeners('exit')).toEqual(before)
  })

  it('nothing is printed of a mock on a server that renders pages', () => {
    const act = () => {
      const petstore = setupPetstore({ baseUrl: BASE, followSandboxes: true })
      petstore.listen()
      return petstore
    }
    expect(collectReminders(act)).toEqual([])
  })
})
