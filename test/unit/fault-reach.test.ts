import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../src/index.js'
import { createPetstore } from '../../src/index.js'

async function addOverHttp(rule: FaultRule): Promise<{ status: number; body: unknown }> {
  const response = await createPetstore({ scenario: 'empty' }).fetch('/__admin/faults', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(rule),
  })
  return { status: response.status, body: await response.json() }
}

describe('a rule for all paths that begin alike', () => {
  it.each<[FaultRule, string]>([
    [{ operation: 'createOrder', path: '/pets*' }, '/path leads to another operation than /operation names'],
    [{ operation: 'listPets', path: '/pets/*' }, '/path leads to another operation than /operation names'],
    [{ operation: 'getPet', path: '/pets/1/*' }, '/path leads nowhere: the document has no "/pets/1/*"'],
    [{ operation: 'getPet', path: '/pets//*' }, '/path leads nowhere: the document has no "/pets//*"'],
    [{ operation: 'getInventory', path: '/store/o*' }, '/path leads to another operation than /operation names'],
    [{ method: 'PATCH', path: '/pets*' }, '/path leads to another operation than /method names'],
    [{ method: 'PATCH', path: '/store/inventory*' }, '/path leads to another operation than /method names'],
    [{ path: '/petz*' }, '/path leads nowhere: the document has no "/petz*"'],
    [{ path: '/sandbox/a/*' }, '/path leads nowhere: the document has no "/sandbox/a/*"'],
    [{ path: '/__admin/*' }, '/path leads nowhere: the document has no "/__admin/*"'],
  ])('is refused where no request can meet it, in process and over HTTP: %j', async (rule, why) => {
    const message = `the fault rule cannot be used: ${why}`
    const { faults } = createPetstore({ scenario: 'empty' })
    expect(() => faults.add(rule)).toThrow(
      expect.objectContaining({ name: 'MockError', code: 'INVALID_FAULT', message }),
    )
    expect(faults.list()).toStrictEqual([])
    expect(await addOverHttp(rule)).toStrictEqual({
      status: 422,
      body: { code: 'INVALID_FAULT', message, status: 422 },
    })
  })

  it.each<[FaultRule, method: string, path: string]>([
    [{ path: '/*' }, 'GET', '/categories'],
    [{ path: '/p*' }, 'GET', '/pets'],
    [{ path: '/pets/*' }, 'GET', '/pets/1'],
    [{ operation: 'getPet', path: '/pets/1*' }, 'GET', '/pets/17'],
    [{ operation: 'getPet', path: '/*' }, 'GET', '/pets/1'],
    [{ operation: 'listPets', path: '/pets*' }, 'GET', '/pets'],
    [{ operation: 'deleteOrder', path: '/store/orders/*' }, 'DELETE', '/store/orders/5'],
    [{ method: 'HEAD', path: '/store/*' }, 'HEAD', '/store/inventory'],
  ])('is taken and met otherwise: %j by %s %s', async (rule, method, path) => {
    const petstore = createPetstore({ scenario: 'empty' })
    petstore.faults.add({ ...rule, status: 503 })
    expect((await petstore.fetch(path, { method })).status).toBe(503)
    expect((await addOverHttp(rule)).status).toBe(201)
  })
})
