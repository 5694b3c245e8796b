import type { JournalPart } from '../../engine/log/journal.js'
import type { JournalEntry } from '../../engine/log/journal-entry.js'
import { describeTimeout, MAX_LISTED } from '../../engine/log/wait.js'
import { MockError } from '../../http/errors.js'
import type { AdminSender } from '../../tools/client/admin-sender.js'
import { fitItems, fitValue } from '../fit.js'
import { READS, rejectUnused, type Tool, type ToolContext } from '../tool.js'

interface Arguments {
  readonly id?: number
  readonly operation?: string
  readonly method?: string
  readonly status?: number
  readonly since?: number
  readonly limit?: number
  readonly waitMs?: number
  readonly times?: number
}

const COUNT = { type: 'integer', minimum: 1 }

export const requests: Tool = {
  name: 'requests',
  description:
    'List the requests that the mock has received, oldest first: those of your code, and of send_request. Give an id for the headers and bodies of one of them; give waitMs to wait for requests of an operation.',
  annotations: READS,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      id: { ...COUNT, description: 'Only this request, with headers and bodies.' },
      operation: { type: 'string', description: 'Only requests for this operation.' },
      method: { type: 'string' },
      status: { type: 'integer', description: 'Only requests whose response has this status.' },
      since: { type: 'integer', minimum: 0, description: 'Only requests after the one with this id.' },
      limit: { ...COUNT, maximum: 1000, description: 'Only the last ones, this many. Default is 50.' },
      waitMs: { ...COUNT, maximum: 60_000, description: 'How long to wait for them. Requires operation.' },
      times: { ...COUNT, description: 'With waitMs: how many to wait for. Default is 1.' },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['requests', 'total', 'leftOut'],
    additionalProperties: false,
    properties: {
      requests: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'at', 'method', 'path', 'status'],
          properties: {
            id: { type: 'integer' },
            status: { type: 'integer', description: '0 if there was no response.' },
            violations: { type: 'array', description: 'How the request violates the OpenAPI document.' },
          },
        },
      },
      total: { type: 'integer', description: 'How many requests the mock has received.' },
      leftOut: {
        type: 'integer',
        description: 'How many of those that match are missing here. Use since, or filters.',
      },
    },
  },
  async call({ mock }: ToolContext, args: Arguments) {
    const { id, limit = 50, waitMs, times, ...filter } = args
    if (id !== undefined) {
      rejectUnused(args, ['id'], '/id')
      const entry: JournalEntry = await mock.send('getJournalEntry', { path: { id } })
      return { requests: [toWhole(entry)], total: 1, leftOut: 0 }
    }
    if (waitMs !== undefined) await wait(mock, filter, { times, waitMs })
    else if (times !== undefined) throw new MockError('INVALID_REQUEST', '/times requires /waitMs.')
    const { entries, total } = await getJournal(mock, filter)
    const { kept, leftOut } = fitItems(entries.slice(-limit).map(summarize), entries.length)
    return { requests: kept, total, leftOut }
  },
}

const getJournal = (mock: AdminSender, query: object): Promise<JournalPart> => mock.send('getJournal', { query })

interface Wait {
  readonly times: number | undefined
  readonly waitMs: number
}

async function wait(mock: AdminSender, filter: Arguments, { times = 1, waitMs }: Wait): Promise<void> {
  const { operation } = filter
  if (operation === undefined) throw new MockError('INVALID_REQUEST', '/waitMs requires /operation.')
  const { entries } = await getJournal(mock, { ...filter, times, waitMs })
  if (entries.length >= times) return
  const { entries: last } = await getJournal(mock, { limit: MAX_LISTED })
  const options = { times, timeoutMs: waitMs, ...(filter.status !== undefined && { status: filter.status }) }
  throw new MockError('TIMEOUT', describeTimeout(operation, options, entries.length, last))
}

/** Without headers and bodies. */
function summarize({ request: _request, response: _response, query, params: _params, ...entry }: JournalEntry) {
  return { ...entry, ...(Object.keys(query).length > 0 && { query }) }
}

function toWhole({ request, response, ...entry }: JournalEntry) {
  return { ...entry, request: fitMessage(request), response: fitMessage(response) }
}

function fitMessage<Message extends { body?: unknown }>(message: Message): Message {
  return 'body' in message ? { ...message, body: fitValue(message.body) } : message
}
