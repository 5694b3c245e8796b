import type { RecordedExchange } from '../engine/reproduction/reproduction.js'
import { INDENT } from './control.js'
import { readExactJson } from './exchange.js'
import { toComment, toFetchArguments } from './fetch.js'
import { quoteText, toLiteral } from './literal.js'
import type { MockName } from './tested-service.js'

/** A request that never gets a response needs a time limit. */
function toCall(mock: MockName, { request, fault }: RecordedExchange): string {
  const limit = fault?.kind === 'timeout' ? { signal: 'AbortSignal.timeout(100)' } : undefined
  return `${mock}.fetch(${toFetchArguments('', request, INDENT, limit)})`
}

const failsToRespond = ({ fault }: RecordedExchange) => fault?.kind === 'reset' || fault?.kind === 'timeout'

/** A request whose response does not matter. */
export function toSetUp(mock: MockName, step: RecordedExchange): string {
  const call = `await ${toCall(mock, step)}`
  return failsToRespond(step) ? `${call}.catch(() => {})` : call
}

/** A request, and what is expected of its response. `name` is the variable for it. */
export function toExpectations(mock: MockName, step: RecordedExchange, name: string): string[] {
  if (failsToRespond(step)) return [`await expect(${toCall(mock, step)}).rejects.toThrow()`]
  const { response } = step
  if (!response?.status) return [toComment('It had no response.'), toSetUp(mock, step)]
  return [
    `const ${name} = await ${toCall(mock, step)}`,
    `expect(${name}.status).toBe(${response.status})`,
    ...toBodyExpectations(step, name),
  ]
}

function toBodyExpectations({ request, response, fault }: RecordedExchange, name: string): string[] {
  const { body = '', cut, isBase64 } = response ?? {}
  if (request.method === 'HEAD') return []
  if (fault?.kind === 'truncate' && body !== '') return [`await expect(${name}.text()).rejects.toThrow()`]
  if (cut) return [toComment('The body was too long to record.')]
  if (isBase64) {
    return [`expect(Buffer.from(await ${name}.arrayBuffer()).toString('base64')).toBe(${quoteText(body)})`]
  }
  const value = readExactJson(body)
  if (value === undefined) return [`expect(await ${name}.text()).toBe(${quoteText(body)})`]
  return [`expect(await ${name}.json()).toEqual(${toLiteral(value, INDENT)})`]
}
