const axios = require('axios')
const { setupPetstore } = require('petstore-mock/jest')

const url = 'http://shop.test/pets'
const petstore = setupPetstore({ baseUrl: 'http://shop.test' })

const FAULTS = [{ kind: 'slow', delayMs: 2000 }, { kind: 'delay', delayMs: 2000 }, { kind: 'timeout' }]
const EARLY_ENDS = [{ kind: 'reset' }, { kind: 'truncate' }, { kind: 'malformed' }, { kind: 'error', status: 503 }]

describe.each(['http', 'fetch'])('axios with %s', (adapter) => {
  const send = (options) => axios.get(url, { adapter, proxy: false, ...options })

  test.each(FAULTS)('gives up by itself ($kind)', async (fault) => {
    petstore.faults.add(fault)
    await expect(send({ timeout: 100 })).rejects.toThrow(/timeout|aborted/)
  })

  test.each(FAULTS)('is aborted ($kind)', async (fault) => {
    petstore.faults.add(fault)
    await expect(send({ signal: AbortSignal.timeout(100) })).rejects.toThrow()
  })

  test.each(EARLY_ENDS)('survives $kind', async (fault) => {
    petstore.faults.add(fault)
    await send({ timeout: 100 }).catch(() => {})
  })
})
