import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { onTestFinished } from 'vitest'
import { type PetstoreServer, startServer } from '../../src/adapters/server/index.js'
import type { ServerOptions } from '../../src/adapters/server/options.js'
import { COMMAND_FILE } from './command.js'

type Args = Readonly<Record<string, unknown>>

/** Registers what closes something: `afterAll` if all tests of a file share it. */
type OnEnd = (close: () => Promise<void>) => void

/** A client of the protocol, with shorter calls. */
export interface McpClient {
  readonly client: Client
  readonly transport: Transport
  /** The base URL that the instructions name. */
  readonly baseUrl: string
  /** The structured result. Throws the sentence of a tool error. */
  call<Result = Record<string, never>>(name: string, args?: Args): Promise<Result>
  /** The sentence of a tool error. Throws if there is none. */
  fail(name: string, args?: Args): Promise<string>
}

export async function connectClient(transport: Transport, onEnd: OnEnd = onTestFinished): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onEnd(() => client.close())
  const [, baseUrl = ''] = /(http\S+)/.exec(client.getInstructions() ?? '') ?? []
  const send = (name: string, args: Args) => client.callTool({ name, arguments: { ...args } })
  const textOf = (result: Awaited<ReturnType<typeof send>>) => (result.content as [{ text: string }])[0].text
  return {
    client,
    transport,
    baseUrl,
    async call(name, args = {}) {
      const result = await send(name, args)
      if (result.isError) throw new Error(textOf(result))
      return result.structuredContent as never
    },
    async fail(name, args = {}) {
      const result = await send(name, args)
      if (!result.isError) throw new Error(`No error: ${textOf(result)}`)
      return textOf(result)
    },
  }
}

export async function startMock(options: ServerOptions = {}, onEnd: OnEnd = onTestFinished): Promise<PetstoreServer> {
  const server = await startServer({ port: 0, ...options })
  onEnd(() => server.close())
  return server
}

/** A session with a running server. */
export function connectOverHttp({ url }: Pick<PetstoreServer, 'url'>, requestInit: RequestInit = {}, onEnd?: OnEnd) {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/__admin/mcp`), { requestInit }) as Transport
  return connectClient(transport, onEnd)
}

/** A session with the built command, in a process of its own. */
export function connectOverStdio(args: readonly string[] = [], cwd = process.cwd()) {
  return connectClient(
    new StdioClientTransport({ command: process.execPath, args: [COMMAND_FILE, 'mcp', ...args], cwd, stderr: 'pipe' }),
  )
}
