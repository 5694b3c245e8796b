import { createHook } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepTicksFast } from '../../src/server/keep-ticks-fast.js'
import { collectGarbage } from '../support/collect-garbage.js'

it('keeps the object of one tick, where those of others are collected', async () => {
  const another = await ticksOf(() => process.nextTick(() => {}))
  const ours = await ticksOf(keepTicksFast)
  collectGarbage()
  expect(another.map((tick) => tick.deref())).toEqual([undefined])
  expect(ours.map((tick) => tick.deref())).toEqual([expect.any(Object)])
})

/** What Node made of what was put off, once that is done. */
async function ticksOf(put: () => void): Promise<WeakRef<object>[]> {
  const ticks: WeakRef<object>[] = []
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') ticks.push(new WeakRef(resource))
    },
  }).enable()
  put()
  hook.disable()
  await setImmediate()
  return ticks
}
