import { describe, expect, it, vi } from 'vitest'
import { createContractViolations } from '../../src/engine/control/contract-violations.js'
import { callUserFunction, createUnreportedErrors, throwErrors } from '../../src/engine/control/unreported-errors.js'
import { createFetch } from '../../src/engine/fetch/fetch.js'
import { MockError } from '../../src/http/errors.js'
import { createPetstore } from '../../src/index.js'

describe('unreported errors', () => {
  it('are listed together, even if some cannot be converted to text', () => {
    const errors = createUnreportedErrors()
    errors.add(new Error('first'))
    errors.add(Object.create(null))
    expect(() => throwErrors(errors.takeAll())).toThrow('\n- first\n- [object Object]')
    expect(errors.takeAll()).toEqual([])
  })

  it('of the mock are counted if they repeat, in a sandbox as well as in its parent', () => {
    const parent = createUnreportedErrors()
    const errors = createUnreportedErrors(parent)
    for (let count = 0; count < 3; count++) errors.add(new MockError('CALLBACK_FAILED', 'it threw 1'))
    errors.addLate(new MockError('UNUSED_RULE', 'never applied'))
    expect(() => throwErrors(parent.takeAll())).toThrow(
      /^\n- it threw 1 \(3 times, first at [\d:.]{12} UTC\)\n- never applied$/,
    )
    errors.add(new MockError('CALLBACK_FAILED', 'it threw 1'))
    expect(() => throwErrors(errors.takeAll())).toThrow(/^it threw 1 \(at [\d:.]{12} UTC\)$/)
  })
})

it('forbidden requests are stored up to a limit, for a server on which nobody calls check()', () => {
  const violations = createContractViolations(true)
  const request = { method: 'GET', path: '/x', query: '', base: '', headers: {} }
  const outcome = { response: { status: 400, headers: {} }, trace: { violations: ['x is wrong'] } }
  for (let count = 0; count < 1001; count += 1) violations.record(request, outcome)
  expect(violations.takeErrors()).toHaveLength(1000)
})

describe('a callback of the user', () => {
  it('is reported if a foreign promise rejects', async () => {
    const report = vi.fn()
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library
    const thenable = { then: (_: unknown, reject: (reason: unknown) => void) => reject('late') }
    callUserFunction('it', () => thenable, report)
    await expect.poll(() => report).toHaveBeenCalledOnce()
    expect(report.mock.calls[0]?.[0]).toMatchObject({ code: 'CALLBACK_FAILED', message: 'it threw late' })
  })
})

describe('a response that cannot be created in memory', () => {
  it.each(['/pets', new Request('http://localhost/pets')])('becomes 500, and is reported', async (input) => {
    const reportError = vi.fn()
    const handle = () => ({ response: { status: 1000, headers: {} }, trace: {} })
    const fetch = createFetch({ handle, maxBodyBytes: () => 0, reportError }, () => Promise.resolve())
    const response = await fetch(input)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ code: 'INTERNAL_ERROR' })
    expect(reportError).toHaveBeenCalledExactlyOnceWith(expect.any(RangeError))
  })
})

describe('onProgress', () => {
  it.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new RangeError('thrown by the callback')
      },
    ],
    ['rejects', () => Promise.reject(new RangeError('thrown by the callback'))],
  ])('that %s does not stop the generation, and is reported', async (_, onProgress) => {
    const petstore = createPetstore({ pets: 3, orders: 3, onProgress })
    await petstore.ready
    expect(petstore.data.pets.all()).toHaveLength(3)
    expect(() => petstore.check()).toThrow(new RangeError('thrown by the callback'))
  })
})
