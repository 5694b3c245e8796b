import { it } from 'vitest'
import { inMemory } from '../support/adapters.js'
import { sendLine } from '../support/bad-inputs.js'
import { expectError, expectResponse, expectUnchanged, openClient } from '../support/client.js'
import { STARTING_DATA } from '../support/operations.js'

// Only in memory: the limit is the same on every adapter, and the others need seconds for so much data.
it('the largest state has 64 mebibytes, and not one byte more', async () => {
  const { mock, get } = await openClient(inMemory, STARTING_DATA)
  const body = new Uint8Array(67_108_865).fill(0x20)
  body.set(new TextEncoder().encode('{"categories":[{"id":9,"name":"Owls"}]}'))
  const response = await expectUnchanged(mock, () => sendLine(mock, 'PUT /__admin/state', { body }))
  expectError(response, 413, 'BODY_TOO_LARGE', 'Request body exceeds 67108864 bytes.')
  expectResponse(await sendLine(mock, 'PUT /__admin/state', { body: body.subarray(0, -1) }), 204)
  expectResponse(await get('/categories'), 200, [{ id: 9, name: 'Owls' }])
})
