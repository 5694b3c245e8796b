import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../src/index.js'
import { VERY_LONG_MS } from '../support/faults.js'
import { useAdapterSites } from './adapter-site.js'

const opened = useAdapterSites().useStartedPage()

describe('fetch in a page', () => {
  it('fails as if offline for a reset, and the operation did not run', async () => {
    await addFault({ kind: 'reset', times: 1 })
    expect(await call('/api/pets', CREATE)).toEqual({ failed: 'TypeError: Failed to fetch' })
    expect(await call('/api/pets/73')).toMatchObject({ status: 404 })
  })

  it('gets a status and then an error for a truncated body', async () => {
    await addFault({ kind: 'truncate', times: 1 })
    const { status, length, text, bodyError } = await call('/api/pets/1')
    const whole = (await call('/api/pets/1')).text as string
    expect({ status, length }).toEqual({ status: 200, length: String(whole.length) })
    expect(bodyError).toMatch(/^TypeError/)
    expect(whole.startsWith(text as string)).toBe(true)
    expect(text).not.toBe(whole)
  })

  it('gets a malformed body', async () => {
    await addFault({ kind: 'malformed' })
    const failure = await opened().page.evaluate(async () => {
      const response = await fetch('/api/pets/1')
      return response.json().catch((error: Error) => `${response.status} ${error.name}`)
    })
    expect(failure).toBe('200 SyntaxError')
  })

  it('gets the headers of a slow response and its body part by part', async () => {
    await addFault({ kind: 'slow', delayMs: 70, times: 1 })
    const slow = await call('/api/pets/1')
    expect(slow.parts).toBeGreaterThan(1)
    expect(slow.text).toBe((await call('/api/pets/1')).text)
  })

  it('can abort a slow body', async () => {
    await addFault({ kind: 'slow', delayMs: VERY_LONG_MS })
    const outcome = await opened().page.evaluate(async () => {
      const aborter = new AbortController()
      const response = await fetch('/api/pets/1', { signal: aborter.signal })
      const reader = response.body?.getReader()
      const first = await reader?.read()
      const next = reader?.read().catch((error: Error) => error.name)
      aborter.abort()
      return [response.status, (first?.value?.length ?? 0) > 0, await next]
    })
    expect(outcome).toEqual([200, true, 'AbortError'])
  })

  it.each<[FaultRule]>([[{ kind: 'timeout', times: 1 }], [{ delayMs: VERY_LONG_MS, times: 1 }]])(
    'waits under %j until it is aborted, while other requests get responses',
    async (rule) => {
      await addFault(rule)
      const outcome = await opened().page.evaluate(async () => {
        const aborter = new AbortController()
        let settled = false
        const waiting = fetch('/api/pets/1', { signal: aborter.signal })
          .then(String, (error: Error) => error.name)
          .finally(() => {
            settled = true
          })
        const { faults } = window.page.get('petstore')
        while (faults.list()[0]?.applied !== 1) await new Promise(requestAnimationFrame)
        const other = await fetch('/api/pets/1')
        const before = settled
        aborter.abort()
        return [other.status, before, await waiting]
      })
      expect(outcome).toEqual([200, false, 'AbortError'])
    },
  )

  it('ends with its own timeout', async () => {
    await addFault({ kind: 'timeout' })
    const name = await opened().page.evaluate(() =>
      fetch('/api/pets/1', { signal: AbortSignal.timeout(50) }).catch((error: Error) => error.name),
    )
    expect(name).toBe('TimeoutError')
  })

  it('gets the error of a rule or of Prefer as the OpenAPI document defines it', async () => {
    await addFault({ operation: 'listPets', status: 429 })
    expect(JSON.parse((await call('/api/pets')).text as string)).toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
    })
    const preferred = await call('/api/pets/1', { headers: { prefer: 'code=503' } })
    expect(preferred).toMatchObject({ status: 503, applied: 'code=503' })
  })
})

it('XMLHttpRequest in a page ends with the event that fits the fault', async () => {
  const expected: [FaultRule, status: number, event: string][] = [
    [{ kind: 'reset' }, 0, 'error'],
    // Chromium reports an error only if the body comes from a server, not from a service worker.
    [{ kind: 'truncate' }, 0, 'abort'],
    [{ kind: 'malformed' }, 200, 'load'],
    [{ kind: 'slow', delayMs: 20 }, 200, 'load'],
    [{ kind: 'timeout' }, 0, 'timeout'],
    [{ delayMs: VERY_LONG_MS }, 0, 'timeout'],
  ]
  const ended: unknown[] = []
  for (const [rule, , event] of expected) {
    await opened().page.evaluate(() => window.page.get('petstore').reset())
    await addFault(rule)
    ended.push([rule, ...(await endOfXhr(event === 'timeout' ? 50 : 0))])
  }
  expect(ended).toEqual(expected)
})

/** The status of a request, and the events that it ends with. */
function endOfXhr(timeout: number): Promise<unknown[]> {
  return opened().page.evaluate(async (given) => {
    const request = new XMLHttpRequest()
    request.open('GET', '/api/pets/1')
    request.timeout = given
    const events: string[] = []
    for (const name of ['load', 'error', 'timeout', 'abort']) request.addEventListener(name, () => events.push(name))
    await new Promise((resolve) => {
      request.onloadend = resolve
      request.send()
    })
    return [request.status, ...events]
  }, timeout)
}

const CREATE = {
  method: 'POST',
  body: '{"name":"Rex","categoryId":1}',
  headers: { 'content-type': 'application/json' },
}

function addFault(rule: FaultRule): Promise<void> {
  return opened().page.evaluate((given) => void window.page.get('petstore').faults.add(given), rule)
}

interface Outcome {
  readonly failed?: string
  readonly status?: number
  readonly length?: string | null
  readonly applied?: string | null
  readonly text?: string
  readonly parts?: number
  /** The error of reading the body. */
  readonly bodyError?: string
}

/** Fetches in the page and reads the body part by part. */
function call(address: string, init: RequestInit = {}): Promise<Outcome> {
  return opened().page.evaluate(
    async ([url, given]): Promise<Outcome> => {
      const response = await fetch(url, given as RequestInit).catch((error: Error) => String(error))
      if (typeof response === 'string') return { failed: response }
      const { status, headers } = response
      const head = { status, length: headers.get('content-length'), applied: headers.get('preference-applied') }
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      const parts: string[] = []
      try {
        for (;;) {
          const { done, value } = (await reader?.read()) ?? { done: true }
          if (done) return { ...head, text: parts.join(''), parts: parts.length }
          parts.push(value ?? '')
        }
      } catch (error) {
        return { ...head, text: parts.join(''), parts: parts.length, bodyError: String(error) }
      }
    },
    [address, init] as const,
  )
}
