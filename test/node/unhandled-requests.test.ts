import { bypass } from 'msw'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { NodeOptions, NodePetstore } from '../../src/adapters/node/index.js'
import { shop } from '../support/client.js'
import { serve } from '../support/serve.js'
import { expectBlocked, listen } from './listen.js'

const BASE = 'https://petstore.test'
const fixtures = shop([{ id: 1, name: 'Rex' }])

function listenAtBase(options: NodeOptions = { fixtures }): NodePetstore {
  return listen({ baseUrl: BASE, ...options })
}

/** A real server on the loopback interface, and the paths that it received. */
async function openServer(): Promise<{ url: string; received: string[] }> {
  const received: string[] = []
  const url = await serve((request, response) => {
    received.push(request.url ?? '')
    response.end('from the server')
  })
  return { url, received }
}

describe('A request to another address', () => {
  it('I10 is blocked, and fails the test even if the code under test swallows the error', async () => {
    const { url, received } = await openServer()
    const petstore = listenAtBase()
    await expectBlocked(fetch(`${url}/secret?token=abc`), `GET ${url}/secret was blocked by the mock at ${BASE}`)
    petstore.reset()
    expect(() => petstore.check()).toThrow("set onUnhandledRequest to 'bypass'")
    petstore.check()
    expect(received).toEqual([])
  })

  it('is told apart from one to a path outside of the base URL', async () => {
    const petstore = listenAtBase({ baseUrl: 'https://clinic.test/v1' })
    await expectBlocked(
      fetch('https://clinic.test/appointments'),
      'GET https://clinic.test/appointments was blocked by the mock at https://clinic.test/v1, because its path is not below',
    )
    await expectBlocked(fetch('https://clinic.test:8443/v1/pets'), 'because it is sent to another address. To mock it')
    petstore.reset()
    expect(() => petstore.check()).toThrow('because its path is not below that address. To mock it, set baseUrl')
  })

  it('goes to the network with a warning if onUnhandledRequest is warn', async () => {
    const { url, received } = await openServer()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const petstore = listenAtBase({ onUnhandledRequest: 'warn' })
    expect(await (await fetch(`${url}/hello?token=abc`)).text()).toBe('from the server')
    petstore.check()
    expect(received).toEqual(['/hello?token=abc'])
    expect(warn.mock.calls).toEqual([
      [`GET ${url}/hello was not handled by the mock at ${BASE}, and goes to the network.`],
    ])
  })

  it('goes to the network if it is made with the bypass function of msw', async () => {
    const { url, received } = await openServer()
    const petstore = listenAtBase({ fixtures, baseUrl: url })
    expect(await (await fetch(bypass(`${url}/pets/1`))).text()).toBe('from the server')
    expect([received, petstore.journal.total]).toEqual([['/pets/1'], 0])
  })

  it('is not blocked if it needs no network', async () => {
    const petstore = listenAtBase()
    expect(await (await fetch('data:text/plain,hello')).text()).toBe('hello')
    const url = URL.createObjectURL(new Blob(['hello']))
    expect(await (await fetch(url)).text()).toBe('hello')
    URL.revokeObjectURL(url)
    petstore.check()
  })

  it('is warned of once, and only if it goes to the network', async () => {
    const { url, received } = await openServer()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    listenAtBase({ onUnhandledRequest: 'warn' })
    listenAtBase({ baseUrl: 'https://other.test', onUnhandledRequest: 'warn' })
    await fetch(url)
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`by the mock at ${BASE}, https://other.test, and goes`)]])
    const strict = listenAtBase({ baseUrl: 'https://strict.test' })
    await expectBlocked(fetch(url), 'was blocked by the mock at https://strict.test')
    expect(() => strict.check()).toThrow('was blocked')
    expect([warn.mock.calls.length, received.length]).toEqual([1, 1])
  })

  it('is blocked if the function returns nothing or throws', async () => {
    const { url, received } = await openServer()
    const silent = listenAtBase({ onUnhandledRequest: () => undefined as never })
    await expectBlocked(fetch(url), 'was blocked by the mock')
    expect(() => silent.close()).toThrow("onUnhandledRequest returned undefined. It must return 'error', 'warn' or")
    const slow = listenAtBase({ onUnhandledRequest: (async () => 'bypass') as never })
    await expectBlocked(fetch(url), 'onUnhandledRequest returned [object Promise]')
    expect(() => slow.close()).toThrow('was blocked by the mock')
    const throwing = listenAtBase({
      onUnhandledRequest() {
        throw new RangeError('thrown by the function')
      },
    })
    await expectBlocked(fetch(url), 'was blocked by the mock')
    expect(() => throwing.close()).toThrow('thrown by the function')
    expect(received).toEqual([])
  })

  it('fails only the test whose mock does not bypass it', async () => {
    const bypassing = listenAtBase({ onUnhandledRequest: 'bypass' })
    const blocking = listenAtBase({ baseUrl: 'https://other.test' })
    await expectBlocked(fetch('https://elsewhere.invalid/'), 'was blocked by the mock at https://other.test')
    expect(() => blocking.close()).toThrow('elsewhere.invalid')
    bypassing.close()
  })

  it('is reported once, by the first of the mocks that block it', async () => {
    const mocks = [listenAtBase(), listenAtBase({ baseUrl: 'https://other.test' })] as const
    for (const [first, second] of [mocks, [...mocks].reverse()] as const) {
      await fetch('https://elsewhere.invalid/').catch(() => {})
      await fetch('https://elsewhere.invalid/').catch(() => {})
      expect(first?.check).toThrow(/returns 'bypass' for it\. \(2 times, first at [\d:.]{12} UTC\)$/)
      second?.check()
    }
  })

  it('is reported once with a count, and at most ten different ones are listed', async () => {
    const petstore = listenAtBase()
    for (let count = 0; count < 30; count++) await fetch('https://elsewhere.invalid/poll').catch(() => {})
    expect(() => petstore.check()).toThrow(
      /^GET https:\/\/elsewhere\.invalid\/poll .* \(30 times, first at [\d:.]{12} UTC\)$/,
    )
    for (let count = 0; count < 12; count++) await fetch(`https://elsewhere.invalid/${count}`).catch(() => {})
    expect(() => petstore.check()).toThrow(/^(\n- GET https:\/\/elsewhere.invalid\/\d .*){10}\n- and 2 more$/)
  })
})
