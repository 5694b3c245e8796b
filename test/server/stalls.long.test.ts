import { describe, expect, it } from 'vitest'
import { startMeasuredCommand } from '../support/measured-command.js'

const MAX_TURN_MS = 50

/** On a crowded machine a garbage collection can take several times as long. A stall of our own happens every time. */
const RETRY = { retry: 2 }

// The monitor reads Linux's accounting of processor time.
describe.runIf(process.platform === 'linux')('other clients do not wait, and keep their connections', () => {
  it('while a full journal is exported', RETRY, async () => {
    const { measure, send } = await startMeasuredCommand(['--quiet'])
    for (let count = 0; count < 1000; count++) await send('GET', '/pets?limit=50')
    const har = await measure(() => send('GET', '/__admin/journal.har'))
    const journal = await measure(() => send('GET', '/__admin/journal'))
    for (const { result, longestTurn } of [har, journal]) {
      expect(result.body.length).toBeGreaterThan(1_000_000)
      expect(result.headers['content-length']).toBe(String(result.body.length))
      expect(longestTurn).toBeLessThan(MAX_TURN_MS)
    }
  })
})
