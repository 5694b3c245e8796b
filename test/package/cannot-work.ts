/** What one client could or could not do in one set-up; without a client, that the test file could not be loaded. */
export interface Outcome {
  readonly runner: string
  readonly mode?: string
  readonly environment: string
  readonly entry?: string
  readonly client?: string
  readonly title?: string
  readonly errors: readonly string[]
}

/** What cannot work, and where. `set-ups.test.ts` fails when it starts to work; docs/unit-tests.md has the rows. */
export interface Exception {
  readonly applies: (outcome: Outcome) => boolean
  readonly error: RegExp
  readonly row: string
}

const isJest = ({ runner }: Outcome) => runner.startsWith('Jest')
const isEsm = ({ mode }: Outcome) => mode === 'ES modules'
const hasPage = ({ environment }: Outcome) => environment !== 'node'

export const CANNOT_WORK: readonly Exception[] = [
  {
    applies: (outcome) => !hasPage(outcome) && outcome.client === 'XMLHttpRequest',
    error: /^ReferenceError: XMLHttpRequest is not defined$/,
    row: 'Environment `node` | XMLHttpRequest | `XMLHttpRequest is not defined` | Node has no such class. Use jsdom or happy-dom.',
  },
  {
    applies: (outcome) => isJest(outcome) && outcome.environment === 'jsdom',
    error: /Text(?:En|De)coder is not defined|Cannot find module '@mswjs\/interceptors\/ClientRequest'/,
    row: "Jest with `jest-environment-jsdom` | everything | `TextDecoder is not defined`, or `Cannot find module '@mswjs/interceptors/ClientRequest'` | The environment hides what msw needs of Node. Use `jest-fixed-jsdom`.",
  },
  {
    applies: (outcome) => isEsm(outcome) && outcome.environment === 'happy-dom',
    error: /BroadcastChannel is not defined/,
    row: 'Jest with ES modules and happy-dom | everything | `BroadcastChannel is not defined` | The environment hides what msw needs of Node. Use `jest-fixed-jsdom`, or let Babel or ts-jest compile to CommonJS.',
  },
  {
    applies: ({ environment, client }) => environment === 'jest-fixed-jsdom' && client === 'undici',
    error: /^ReferenceError: MessagePort is not defined$/,
    row: 'Jest with `jest-fixed-jsdom` | the undici package | `MessagePort is not defined` | undici cannot be loaded there, with or without a mock. Use the environment `node`.',
  },
  {
    applies: ({ mode, client = '', title = '' }) =>
      mode === 'babel-jest, default fake timers' &&
      title.includes('timers') &&
      ['XMLHttpRequest', 'axios', 'undici'].includes(client),
    error: /^Error: No response arrived\.$/,
    row: "Jest with fake timers | XMLHttpRequest, undici; axios in happy-dom or jsdom | none: no response arrives | Jest also fakes `queueMicrotask`. Use `jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })`.",
  },
  {
    applies: (outcome) =>
      hasPage(outcome) && outcome.client === 'XMLHttpRequest' && outcome.title?.includes('aborted') === true,
    error: /abort\(\) dispatched no event/,
    row: 'jsdom, happy-dom | `abort()` of an XMLHttpRequest | none: no event is dispatched, and the response may still arrive | msw 2 does not pass it on. axios and `fetch` can abort their requests.',
  },
  {
    applies: (outcome) =>
      outcome.client === 'request, imported by name from node:http' &&
      (isEsm(outcome) || (outcome.runner === 'vitest' && hasPage(outcome))),
    error: /ECONNREFUSED/,
    row: 'Jest with ES modules; vitest with jsdom or happy-dom | functions imported by name from node:http | the error of a request on the network; in Jest also the warning `petstore-mock cannot intercept every request on this runtime` | The runner copies them into constants of the file that imports them, which no later change reaches. Write `import http` and `http.request`, or `import * as http`.',
  },
  {
    applies: (outcome) =>
      isJest(outcome) && outcome.environment !== 'happy-dom' && outcome.client === 'fetch, saved before listen()',
    error: /goes through a custom undici dispatcher, which cannot be intercepted/,
    row: 'Jest with `node` or `jest-fixed-jsdom` | a `fetch` function saved before `listen()` | `… goes through a custom undici dispatcher, which cannot be intercepted` | It belongs to Node, outside of the test. Call the global `fetch`.',
  },
]
