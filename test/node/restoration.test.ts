// @vitest-environment jsdom
import http from 'node:http'
import https from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import { setupServer } from 'msw/node'
import { expect, it } from 'vitest'
import { setupPetstore } from '../../src/adapters/node/index.js'
import { keepIntercepting } from '../../src/adapters/node/interceptor.js'
import { MockError } from '../../src/index.js'

// In jsdom, which has XMLHttpRequest and, on every version of Node, WebSocket.

type Step = readonly [name: string, act: () => void]

/** Something that starts and stops. */
type Participant = readonly [start: Step, stop: Step]

interface Interceptor {
  listen(): void
  close(): void
}

function describeSteps(name: string, { listen, close }: Interceptor): Participant {
  return [
    [`${name}.listen()`, listen],
    [`${name}.close()`, close],
  ]
}

/** What petstore-mock/vitest does around its tests. */
const suite = describeSteps('suite', { listen: () => keepIntercepting(true), close: () => keepIntercepting(false) })
const mock = describeSteps('mock', setupPetstore())
const otherMock = describeSteps('otherMock', setupPetstore({ baseUrl: 'https://other.test' }))
const server = describeSteps('server', setupServer())
const otherServer = describeSteps('otherServer', setupServer())

const attachedServer = setupServer()
const attached = [
  describeSteps('mock', setupPetstore({ server: attachedServer })),
  describeSteps('server', attachedServer),
] as const

const mockWithHandlers = setupPetstore()
const withHandlers = [
  describeSteps('mock', mockWithHandlers),
  describeSteps('server', setupServer(...mockWithHandlers.handlers)),
] as const

it.each<[string, readonly Participant[]]>([
  ['a mock', [mock]],
  ['two mocks', [mock, otherMock]],
  ['a mock and an msw server', [mock, server]],
  ['a mock and two msw servers', [mock, server, otherServer]],
  ['two mocks and an msw server', [mock, otherMock, server]],
  ['a mock and its option server', attached],
  ['a mock and its option server, and another mock', [...attached, otherMock]],
  ['a mock and an msw server with its handlers', withHandlers],
  ['a suite and a mock', [suite, mock]],
  ['a suite, a mock and an msw server', [suite, mock, server]],
  ['a suite, a mock and its option server', [suite, ...attached]],
])('I11 everything is restored, in whatever order they start and stop: %s', (_, participants) => {
  const original = readReplaceable()
  for (const steps of interleave(participants)) {
    for (const [, act] of steps) ignoreOtherServer(act)
    const replaced = [...readReplaceable()].filter(([name, value]) => !isDeepStrictEqual(original.get(name), value))
    expect(replaced, steps.map(([name]) => name).join(', ')).toEqual([])
  }
})

/** All orders in which each participant starts before it stops. */
function interleave(participants: readonly (readonly Step[])[]): Step[][] {
  const waiting = participants.filter((steps) => steps.length > 0)
  if (waiting.length === 0) return [[]]
  return waiting.flatMap((next) => {
    const [step, ...rest] = next as [Step, ...Step[]]
    return interleave(waiting.map((steps) => (steps === next ? rest : steps))).map((order) => [step, ...order])
  })
}

/** A mock refuses to listen, or complains when it closes, if an msw server that it does not know gets the requests. */
function ignoreOtherServer(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof MockError) || error.code !== 'OTHER_MSW_SERVER') throw error
  }
}

/** Everything that msw or the mock may replace. */
function readReplaceable(): Map<string, unknown> {
  const { Headers, Request, Response, XMLHttpRequest } = globalThis
  const dispatchers = Object.getOwnPropertySymbols(globalThis).filter((symbol) =>
    symbol.description?.startsWith('undici.globalDispatcher'),
  )
  return new Map([
    ...read('globalThis', globalThis, ['fetch', 'WebSocket', 'XMLHttpRequest']),
    ...read('globalThis', globalThis, dispatchers),
    ...read('http', http, ['request', 'get', 'ClientRequest']),
    ...read('https', https, ['request', 'get']),
    ...read('XMLHttpRequest', XMLHttpRequest.prototype, ['open', 'send']),
    ...read('Headers', Headers.prototype, ['set', 'append']),
    // msw puts the same classes back, as properties of another kind.
    ...Object.entries({ Headers, Request, Response }),
  ])
}

function read(label: string, owner: object, names: readonly (string | symbol)[]): [string, unknown][] {
  return names.map((name) => [`${label}.${String(name)}`, Object.getOwnPropertyDescriptor(owner, name)])
}
