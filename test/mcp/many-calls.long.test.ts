import { expect, it } from 'vitest'
import { collectGarbage } from '../support/collect-garbage.js'
import { connectOverHttp, startMock } from '../support/mcp.js'

it('1,000 calls take no memory', async () => {
  const { call } = await connectOverHttp(await startMock())
  const callMany = async (times: number) => {
    for (let count = 0; count < times; count += 1) await call('read_data', { resource: 'pets', limit: 5 })
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await callMany(100)
  expect((await callMany(1000)) - before).toBeLessThan(3_000_000)
})
