import { expect, it } from 'vitest'
import { collectGarbage } from '../support/collect-garbage.js'
import { startMock } from '../support/mcp.js'

const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const CLIENT = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

// Without the client of the SDK, which keeps some kilobytes of each call in this process.
it('1,000 calls take no memory', async () => {
  const { url } = await startMock()
  let id = 0
  async function send(method: string, params: object, headers: Record<string, string> = TYPES): Promise<Response> {
    id += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const response = await fetch(`${url}/__admin/mcp`, { method: 'POST', headers, body })
    expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining('isError')])
    return response
  }
  const { headers } = await send('initialize', CLIENT)
  const session = { ...TYPES, 'mcp-session-id': headers.get('mcp-session-id') ?? '' }
  const call = { name: 'read_data', arguments: { resource: 'pets', limit: 5 } }
  for (let count = 0; count < 100; count += 1) await send('tools/call', call, session)
  const before = heapUsed()
  for (let count = 0; count < 1000; count += 1) await send('tools/call', call, session)
  await expect.poll(() => heapUsed() - before).toBeLessThan(3_000_000)
})
