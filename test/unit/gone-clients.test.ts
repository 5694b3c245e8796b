import { describe, expect, it } from 'vitest'
import { createPetstore, type FaultRule } from '../../src/index.js'

const REQUEST = { method: 'GET', path: '/pets/1', query: '', base: '', headers: {} }
const gone = { signal: AbortSignal.abort() }

const statusOf = async (petstore: ReturnType<typeof createPetstore>, options?: { signal: AbortSignal }) =>
  (await petstore.handle(REQUEST, options)).response.status

describe('a fault whose client is gone before it could see it', () => {
  it.each<FaultRule>([{ status: 503 }, { kind: 'reset' }, { kind: 'truncate' }, { kind: 'malformed' }])(
    'does not use up its rule: %j',
    async (rule) => {
      const petstore = createPetstore()
      petstore.faults.add({ ...rule, times: 1 })
      await statusOf(petstore, gone)
      expect(petstore.faults.list()).toMatchObject([{ matched: 1, applied: 0, active: true }])
      await statusOf(petstore)
      expect(petstore.faults.list()).toMatchObject([{ matched: 2, applied: 1, active: false }])
    },
  )

  it.each<FaultRule>([
    { kind: 'timeout' },
    { kind: 'delay', delayMs: 1 },
    { kind: 'slow', delayMs: 1 },
    { status: 503, delayMs: 1 },
  ])('uses up a rule that makes clients give up: %j', async (rule) => {
    const petstore = createPetstore()
    petstore.faults.add({ ...rule, times: 1 })
    await statusOf(petstore, gone)
    expect(petstore.faults.list()).toMatchObject([{ applied: 1, active: false }])
  })

  it('does not use up its rule while the option delay holds it back', async () => {
    const petstore = createPetstore({ delay: 600_000 })
    petstore.faults.add({ status: 503, times: 1 })
    const client = new AbortController()
    const first = statusOf(petstore, client)
    client.abort()
    await first
    expect(petstore.faults.list()).toMatchObject([{ applied: 0, active: true }])
  })

  it('changes nothing of a rule that was added after a reset', async () => {
    const petstore = createPetstore({ delay: 600_000 })
    petstore.faults.add({ status: 503, times: 1 })
    const client = new AbortController()
    const first = statusOf(petstore, client)
    petstore.reset()
    petstore.faults.add({ status: 429, times: 1 })
    client.abort()
    await first
    expect(petstore.faults.list()).toMatchObject([{ id: 1, applied: 0 }])
  })

  it('gets the same entry of a sequence again', async () => {
    const petstore = createPetstore()
    petstore.faults.add({ sequence: [{ status: 503 }, { status: 429 }] })
    await statusOf(petstore, gone)
    expect([await statusOf(petstore), await statusOf(petstore), await statusOf(petstore)]).toEqual([503, 429, 200])
  })
})
