import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendInOnePiece } from '../../src/adapters/server/in-one-piece.js'
import type { PlainResponse } from '../../src/engine/contract/messages.js'

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

function reply(body: string, headers: Record<string, string> = {}, status = 200): PlainResponse {
  return { status, headers: { 'Content-Length': String(Buffer.byteLength(body)), ...headers }, body }
}

/** All that a server of this one handler says to these requests, with the date taken out. */
async function hear(requests: string, keepAliveMs: number, handle: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, handle)
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.setEncoding('latin1').end(requests)
  let heard = ''
  for await (const text of socket) heard += text
  return heard.replaceAll(/Date: (.+)\r\n/g, (_, date) => `Date: ${Number.isNaN(Date.parse(date)) ? date : 'now'}\r\n`)
}

function sendAsNode(response: ServerResponse, { status, headers, body }: PlainResponse): void {
  response.writeHead(status, headers)
  response.end(body)
}

describe('an answer in one piece', () => {
  it.each([
    ['a usual one', reply('{"id":1}', { 'Content-Type': 'application/json', 'X-Total-Count': '3' }), 5000],
    ['an empty one', reply(''), 5000],
    ['a refusal', reply('{}', {}, 422), 5000],
    ['a status without a name', reply('{}', {}, 599), 5000],
    ['connections that are kept for less than a second', reply('{}'), 500],
    ['connections that are kept for long', reply('{}'), 90_999],
    ['a long one', reply('x'.repeat(200_000)), 5000],
  ])('says every byte that Node would: %s', async (_, answer, keepAliveMs) => {
    const asked = GET.repeat(3)
    const sent: boolean[] = []
    const whole = await hear(asked, keepAliveMs, (_request, response) =>
      sent.push(sendInOnePiece(response, answer, keepAliveMs)),
    )
    expect(sent).toEqual([true, true, true])
    expect(whole).toBe(await hear(asked, keepAliveMs, (_request, response) => sendAsNode(response, answer)))
  })

  it.each([
    ['is not all ASCII', GET, reply('{"name":"Zoë"}')],
    ['has a header that is not', GET, reply('{}', { 'X-Name': 'Zoë' })],
    ['has a header with an end of line', GET, reply('{}', { 'X-Name': 'a\r\nX-Other: b' })],
    ['announces another length', GET, reply('{}', { 'Content-Length': '3' })],
    ['has no body', GET, { status: 204, headers: {} }],
    ['may have none', GET, reply('null', {}, 204)],
    ['has a date of its own', GET, reply('{}', { Date: 'Tue, 01 Jan 2030 00:00:00 GMT' })],
    ['says how long it is kept', GET, reply('{}', { 'Keep-Alive': 'timeout=1' })],
    ['is to be the last', GET, reply('{}', { Connection: 'close' })],
    ['is the last that is asked for', GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), reply('{}')],
    ['is to a request of HTTP/1.0', GET.replace('HTTP/1.1', 'HTTP/1.0'), reply('{}')],
    ['is to one who waits for word', GET.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'), reply('{}')],
    ['is to a HEAD', GET.replace('GET', 'HEAD'), reply('{}')],
  ])('is left to Node, with nothing said yet, where it %s', async (_, request, answer) => {
    const sent: boolean[] = []
    const heard = await hear(request, 5000, (_request, response) => {
      sent.push(sendInOnePiece(response, answer, 5000))
      sendAsNode(response, reply('left to Node'))
    })
    expect(sent).toEqual([false])
    expect(heard).toContain('Content-Length: 12\r\n')
  })
})
