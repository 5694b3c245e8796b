import { createHook } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { collectGarbage } from '../support/collect-garbage.js'

it('a server keeps the object of one of its ticks, which keeps their shape', async () => {
  const ticks: WeakRef<object>[] = []
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') ticks.push(new WeakRef(resource))
    },
  }).enable()
  const server = await startServer({ port: 0 })
  await server.close()
  hook.disable()
  await setImmediate()
  collectGarbage()
  expect(ticks.length).toBeGreaterThan(1)
  expect(ticks.filter((tick) => tick.deref() !== undefined)).toHaveLength(1)
})
