import { every } from '../../lib/clock.js'
import { stringifyJson } from '../../lib/json.js'
import type { MockEvent } from '../control/events.js'
import type { AdminHandlers } from './handler.js'

/** Shows clients and proxies that the connection is alive. */
const KEEP_ALIVE_MS = 15_000

export const eventHandlers: Pick<AdminHandlers, 'streamEvents'> = {
  streamEvents: ({ target: { instance } }) => ({
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    stream(write, end) {
      write('retry: 1000\n\n')
      const unsubscribe = instance.events.subscribe((event) => write(formatEvent(event)), end)
      const stopKeepAlive = every(KEEP_ALIVE_MS, () => write(': still here\n\n'))
      return () => {
        unsubscribe()
        stopKeepAlive()
      }
    },
  }),
}

/** Formatted once for all subscribers. */
const formatted = new WeakMap<MockEvent, string>()

function formatEvent(event: MockEvent): string {
  const text = formatted.get(event) ?? `event: ${event.type}\ndata: ${stringifyJson(event)}\n\n`
  formatted.set(event, text)
  return text
}
