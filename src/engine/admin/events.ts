import { every } from '../../lib/clock.js'
import { stringifyJson } from '../../lib/json.js'
import type { PetstoreEvent } from '../control/events.js'
import type { AdminHandlers } from './handler.js'

/** So that a reader, and whatever stands in between, knows that the connection is alive. */
const SIGN_OF_LIFE_MS = 15_000

export const eventHandlers: AdminHandlers<'streamEvents'> = {
  streamEvents: ({ mock }) => ({
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    stream(write, end) {
      write('retry: 1000\n\n')
      const ends = [
        mock.events.subscribe((event) => write(format(event)), end),
        every(SIGN_OF_LIFE_MS, () => write(': still here\n\n')),
      ]
      return () => {
        for (const each of ends) each()
      }
    },
  }),
}

/** Written once, however many follow. */
const written = new WeakMap<PetstoreEvent, string>()

function format(event: PetstoreEvent): string {
  const text = written.get(event) ?? `event: ${event.type}\ndata: ${stringifyJson(event)}\n\n`
  written.set(event, text)
  return text
}
