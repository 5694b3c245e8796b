import http, { request as requestByName } from 'node:http'
import https, { request as secureRequestByName } from 'node:https'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import * as undici from 'undici'

/** A request that every client can send. The body is JSON text. */
export interface Sent {
  readonly method?: string
  readonly body?: string
}

/** A response with its body, whatever its status. */
export interface Received {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface HttpClient {
  readonly name: string
  /** The protocol it is tested with. */
  readonly protocol: 'http:' | 'https:'
  send(url: string, sent?: Sent): Promise<Received>
}

/** The clients that code under test may use. */
export const httpClients: readonly HttpClient[] = [
  { name: 'global fetch', protocol: 'http:', send: (url, sent) => sendByFetch(fetch, url, sent) },
  { name: 'node:http', protocol: 'http:', send: (url, sent) => sendByNode(http, new http.Agent(), url, sent) },
  { name: 'node:https', protocol: 'https:', send: (url, sent) => sendByNode(https, new https.Agent(), url, sent) },
  {
    name: 'node:http by name',
    protocol: 'http:',
    send: (url, sent) => sendByNode({ request: requestByName }, new http.Agent(), url, sent),
  },
  {
    name: 'node:https by name',
    protocol: 'https:',
    send: (url, sent) => sendByNode({ request: secureRequestByName }, new https.Agent(), url, sent),
  },
  ...keepingAlive(),
  { name: 'axios', protocol: 'https:', send: (url, sent) => sendByAxios('http', url, sent) },
  { name: 'axios with fetch', protocol: 'http:', send: (url, sent) => sendByAxios('fetch', url, sent) },
  { name: 'undici.request', protocol: 'http:', send: sendByUndici },
  { name: 'undici.stream', protocol: 'https:', send: streamByUndici },
  {
    name: 'undici.fetch',
    protocol: 'https:',
    send: (url, sent) => sendByFetch(undici.fetch as unknown as typeof fetch, url, sent),
  },
  { name: 'got', protocol: 'http:', send: sendByGot },
]

const JSON_TYPE = { 'content-type': 'application/json' }

/** Agents that reuse one socket for the requests of different callers. */
function keepingAlive(): HttpClient[] {
  const options = { keepAlive: true, maxSockets: 1 }
  const [agent, secureAgent] = [new http.Agent(options), new https.Agent(options)]
  return [
    { name: 'node:http kept alive', protocol: 'http:', send: (url, sent) => sendByNode(http, agent, url, sent) },
    {
      name: 'node:https kept alive',
      protocol: 'https:',
      send: (url, sent) => sendByNode(https, secureAgent, url, sent),
    },
  ]
}

async function sendByFetch(send: typeof fetch, url: string, { method = 'GET', body }: Sent = {}): Promise<Received> {
  const response = await send(url, { method, ...(body !== undefined && { body, headers: JSON_TYPE }) })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

function sendByNode(
  { request }: Pick<typeof http | typeof https, 'request'>,
  agent: http.Agent,
  url: string,
  { method = 'GET', body }: Sent = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : JSON_TYPE
    const sending = request(url, { method, agent, headers }, (response) => {
      const { statusCode = 0, headers } = response
      text(response).then((read) => resolve({ status: statusCode, headers, text: read }), reject)
    })
    sending.on('error', reject).end(body)
  })
}

async function sendByAxios(adapter: 'http' | 'fetch', url: string, { method = 'GET', body }: Sent = {}) {
  const { status, headers, data } = await axios.request<string>({
    ...{ adapter, url, method, proxy: false },
    ...(body !== undefined && { data: body, headers: JSON_TYPE }),
    ...{ responseType: 'text', transformResponse: (read: unknown) => read, validateStatus: () => true },
  })
  return { status, headers: { ...headers }, text: data ?? '' }
}

async function sendByUndici(url: string, { method = 'GET', body }: Sent = {}): Promise<Received> {
  const sent = body === undefined ? {} : { body, headers: JSON_TYPE }
  const response = await undici.request(url, { method, ...sent } as Parameters<typeof undici.request>[1])
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
}

async function streamByUndici(url: string, { method = 'GET', body }: Sent = {}): Promise<Received> {
  const sent = body === undefined ? {} : { body, headers: JSON_TYPE }
  const chunks: Buffer[] = []
  let head: Pick<Received, 'status' | 'headers'> = { status: 0, headers: {} }
  await undici.stream(url, { method, ...sent } as Parameters<typeof undici.stream>[1], ({ statusCode, headers }) => {
    head = { status: statusCode, headers }
    return new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk)
        done()
      },
    })
  })
  return { ...head, text: Buffer.concat(chunks).toString() }
}

async function sendByGot(url: string, { method = 'GET', body }: Sent = {}): Promise<Received> {
  const {
    statusCode,
    headers,
    body: read,
  } = await got(url, {
    ...{ method: method as 'GET', throwHttpErrors: false, retry: { limit: 0 } },
    ...(body !== undefined && { body, headers: JSON_TYPE }),
  })
  return { status: statusCode, headers, text: read }
}
