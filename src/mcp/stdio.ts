import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { cancelledId } from './cancelled.js'
import { createSession, type MockAddress, type ServiceTools } from './session.js'
import type { SaveReproduction } from './tool.js'

interface StdioOptions {
  readonly address: MockAddress
  readonly tools: ServiceTools
  readonly input: Readable
  readonly output: Writable
  readonly saveReproduction: SaveReproduction
  /** Ends the session. */
  readonly signal: AbortSignal
  /** Called with what is wrong with a message that cannot be answered. */
  readonly onProblem: (problem: string) => void
}

/** How long requests that are being handled when the input ends may take to be answered. */
const LAST_RESPONSES_MS = 2000

/** Serves one client until its input ends. */
export async function serveStdio(options: StdioOptions) {
  const { address, tools, input, output, saveReproduction, signal, onProblem } = options
  const session = createSession(address, tools, saveReproduction)
  const transport = new StdioServerTransport(input, output)
  session.onerror = ({ message }) => onProblem(message)
  const closed = new Promise<void>((resolve) => {
    session.onclose = resolve
  })
  await session.connect(transport)
  const answered = followResponses(transport, input)
  const ended = firstOf(input, 'end', 'close')
  // A client that has crashed reads nothing any more.
  const unread = firstOf(output, 'error', 'close')
  const stopped = new Promise((resolve) => {
    if (signal.aborted) resolve(signal)
    signal.addEventListener('abort', resolve)
  })
  await Promise.race([ended.then(answered), unread, closed, stopped])
  await session.close()
}

function firstOf(stream: Readable | Writable, ...events: string[]): Promise<unknown> {
  return new Promise((resolve) => {
    for (const event of events) stream.once(event, resolve)
  })
}

/** Reads no more requests while responses wait to be read. Returns a function that waits for the responses. */
function followResponses(transport: StdioServerTransport, input: Readable): () => Promise<unknown> {
  const { onmessage, send } = transport
  const waiting = new Set<unknown>()
  let resolveIdle = () => {}
  function settle(id: unknown): void {
    waiting.delete(id)
    if (waiting.size === 0) resolveIdle()
  }
  transport.onmessage = (message) => {
    if (isJSONRPCRequest(message)) waiting.add(message.id)
    onmessage?.(message)
    settle(cancelledId(message))
  }
  transport.send = async (message) => {
    input.pause()
    await send.call(transport, message)
    input.resume()
    if ('id' in message) settle(message.id)
  }
  return () => {
    const idle = new Promise<void>((resolve) => {
      resolveIdle = resolve
      if (waiting.size === 0) resolve()
    })
    return Promise.race([idle, new Promise((resolve) => setTimeout(resolve, LAST_RESPONSES_MS).unref())])
  }
}
