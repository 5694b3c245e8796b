import { expect } from 'vitest'
import { type RequestRecord, startServer } from '../../src/adapters/server/index.js'
import { split, type WireCase } from './byte-mutations.js'
import { withFrozenClocks } from './in-memory.js'
import { expectInvariants, expectSame, expectValidResponse, mustChangeNothing, readState } from './properties.js'
import { START } from './requests.js'
import { exchange, isEndless, readResponses } from './socket.js'
import { count, type Tally } from './tally.js'

/** Sends mutated HTTP bytes, and checks the responses and the state afterwards. */
export async function runBytes(wire: WireCase, tally: Tally): Promise<void> {
  await withFrozenClocks(async () => {
    const records: RequestRecord[] = []
    const server = await startServer({ ...START, port: 0, onRequest: (record) => records.push(record) })
    try {
      const { petstore, port, url } = server
      const before = readState(petstore)
      const bytes = await exchange(port, split(wire))
      const { responses, rest } = readResponses(bytes, wire.text.includes('HEAD '))
      const isSimulated = records.some(({ fault }) => fault !== undefined)
      for (const response of responses) {
        count(tally, response.status)
        expectValidResponse(response, {
          isHead: response.text === '',
          isSimulated: isSimulated || response.headers.has('preference-applied'),
        })
      }
      if (responses.length === 0) count(tally, 0)
      if (!isSimulated && !isEndless(bytes)) expect(rest.toString('latin1')).toBe('')
      for (const { failure } of records) if (failure !== undefined) throw failure
      const after = readState(petstore)
      if (records.every(({ method, status }) => mustChangeNothing(method, status))) expectSame(after, before)
      else expectInvariants(after, before)
      petstore.faults.clear()
      petstore.overrides.clear()
      expect((await fetch(`${url}/pets`)).status).toBe(200)
    } finally {
      await server.close()
    }
  })
}
