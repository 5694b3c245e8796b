import type { StoreOperationId } from '../engine/contract/types.js'
import { type Id, parseId } from '../lib/int64.js'
import { stringifyJson } from '../lib/json.js'
import type { Catalogue, Described } from './catalogue.js'
import type { Differ } from './differ.js'
import type { Difference, Findings } from './findings.js'
import { type Expected, type Judged, judge, readJson } from './judge.js'
import { findId, isMaker, MAKERS, type Maker } from './made.js'
import { judgePage } from './pages.js'
import { type Answer, NoAnswer, type Outgoing, type Send } from './sender.js'

/** One request to an operation. */
export interface Call {
  /** What stands for the parameter of the path. */
  readonly id?: string
  /** Without the question mark. */
  readonly query?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, and still declared as JSON unless the headers say otherwise. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  /** Another method than the operation's. */
  readonly method?: string
  /** Another path than the operation's. */
  readonly path?: string
  /** How many items match, where the request is for a list of our own. */
  readonly total?: number
}

export interface Outcome extends Judged {
  /** Of what it has made. */
  readonly id?: Id | undefined
}

/** Something that a check needs is not to be had, so it is left out. */
export class Unable extends Error {
  override readonly name = 'Unable'
}

/** What the checks work with: a way to ask the service that judges every answer. */
export interface Bench {
  readonly catalogue: Catalogue
  /** In the name of everything that is made here, so that it is told apart from what others make. */
  readonly word: string
  /** An id that nothing has. */
  readonly unknownId: Id
  /**
   * Asks, and notes every difference between the answer and what is expected; where the contract leaves open which of
   * two answers it is, what is expected depends on the one that came.
   */
  call(operation: StoreOperationId, call: Call, expected?: Expected | ((answer: Answer) => Expected)): Promise<Outcome>
  /** Notes a difference that only the check can see. */
  differ(operation: StoreOperationId, answer: Answer): Differ
}

export interface BenchOptions {
  readonly catalogue: Catalogue
  readonly basePath: string
  readonly send: Send
  readonly findings: Findings
  readonly onDifference: (difference: Difference) => void
  /** Told of everything that an operation has made. */
  readonly onMade: (maker: Maker, id: Id) => void
}

/** An operation that did not answer so many times is not asked again: each time takes long. */
const MOST_UNANSWERED = 2

export function createBench({ catalogue, basePath, send, findings, onDifference, onMade }: BenchOptions): Bench {
  const unanswered = new Map<StoreOperationId, number>()

  async function ask(described: Described, call: Call): Promise<Answer> {
    const { id: operation } = described
    const times = unanswered.get(operation) ?? 0
    if (times >= MOST_UNANSWERED) throw new Unable(`it needs ${operation}, which does not answer`)
    const request = toRequest(described, call)
    try {
      return await send(request)
    } catch (error) {
      if (error instanceof NoAnswer) {
        unanswered.set(operation, times + 1)
        const sent = `${request.method} ${request.target}`
        onDifference({ operation, aspect: 'answer', sent, expected: 'an answer', received: error.message })
      }
      throw error
    }
  }

  function judgeList({ query, total }: Call, described: Described, answer: Judged, differ: Differ): void {
    const totalIsWrong = findings.has(described.id, 'header X-Total-Count')
    const page = { described, base: basePath, query: new URLSearchParams(query), total, totalIsWrong }
    judgePage(page, answer, answer.value, differ)
  }

  async function track(maker: Maker, answer: Judged, differ?: Differ): Promise<Id | undefined> {
    const { path } = catalogue.get(maker) as Described
    const reader = catalogue.get(MAKERS[maker].reader) as Described
    const id = await findId({
      answer,
      differ,
      path: `${basePath}${path}`,
      leadsThere: async (each) => isSameBut((await ask(reader, { id: each })).text, answer.value),
    })
    if (id !== undefined) onMade(maker, id)
    return id
  }

  const bench: Bench = {
    catalogue,
    word: crypto.randomUUID().slice(0, 8),
    unknownId: randomId(),

    async call(operation, call, expectation = {}) {
      const described = catalogue.get(operation) as Described
      const answer = await ask(described, call)
      const expected = typeof expectation === 'function' ? expectation(answer) : expectation
      const differ = bench.differ(operation, answer)
      const judged = judge(described, answer, expected, differ)
      if (described.isList && judged.asExpected && !('code' in expected || expected.bodiless)) {
        judgeList(call, described, judged, differ)
      }
      if (!isMaker(operation) || !isMade(judged)) return judged
      // What was made where it should have been refused is removed, but what its answer says is not looked at.
      return { ...judged, id: await track(operation, judged, 'code' in expected ? undefined : differ) }
    },

    differ:
      (operation, { sent }) =>
      (aspect, expected, received) =>
        onDifference({ operation, aspect, sent, expected, received }),
  }
  return bench
}

/** Whether something was made: a service may say so with the wrong status. */
function isMade({ status, value }: Judged): boolean {
  return (status >= 200 && status < 300) || (value as { id?: unknown } | undefined | null)?.id !== undefined
}

/** Whether an answer is about an object that is the same but for its id. */
function isSameBut(text: string, value: unknown): boolean {
  const membersOf = (each: unknown): string => {
    const members = Object.entries(each ?? {}).filter(([name]) => name !== 'id')
    return stringifyJson(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))) ?? ''
  }
  return membersOf(readJson(text)) === membersOf(value)
}

function toRequest(described: Described, call: Call): Outgoing {
  const { id = '', query, body, raw, headers } = call
  const path = call.path ?? described.path.replace(/\{.*\}/, () => id)
  const content = raw ?? (body === undefined ? undefined : (stringifyJson(body) ?? ''))
  return {
    method: call.method ?? described.method,
    target: `${path}${query === undefined ? '' : `?${query}`}`,
    headers: {
      Accept: 'application/json',
      ...(content !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: content,
  }
}

/** Far beyond what a double holds exactly, and far too many for anybody to have it by chance. */
function randomId(): Id {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(17)), (byte) => byte % 10)
  return parseId(`91${digits.join('')}`) as Id
}
