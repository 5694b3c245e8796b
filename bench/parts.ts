import type { Mode, Outcome } from './outcome.js'

export interface Part {
  /** For the help. */
  readonly description: string
  /** Skipped with --quick, unless it is selected with --only. */
  readonly long?: true
  run(mode: Mode): Promise<Outcome>
}

/** In the order in which they run. Each is loaded only in its own process. */
export const parts: Readonly<Record<string, Part>> = {
  throughput: {
    description: 'requests per second of the built server and the peers, relative to raw node:http',
    run: async (mode) => (await import('./throughput.js')).measureThroughput(mode),
  },
  https: {
    description: 'HTTPS/1.1 and HTTP/2 relative to raw node:https and node:http2, and plain HTTP on their port',
    run: async (mode) => (await import('./https.js')).measureHttps(mode),
  },
  upstream: {
    description: 'the time that a mock in front of a service adds to a request, and Prism as a proxy',
    run: async (mode) => (await import('./upstream.js')).measureUpstream(mode),
  },
  'start-up': {
    description: 'time from spawning the built command to its first response',
    run: async (mode) => (await import('./start-up.js')).measureStartUp(mode),
  },
  growth: {
    description: 'the cost of an operation from 100 to 1,000,000 pets (quick: 100,000)',
    run: async (mode) => (await import('./growth.js')).measureGrowth(mode),
  },
  memory: {
    description:
      'bytes per pet, journal entry and sandbox; the server when idle and after a million requests (quick: 200,000)',
    run: async (mode) => (await import('./memory.js')).measureMemory(mode),
  },
  unread: {
    description: 'memory, and the wait of another client, while clients do not read the responses to many requests',
    run: async (mode) => (await import('./unread.js')).measureUnread(mode),
  },
  'in-process': {
    description: 'petstore.fetch, intercepted fetch, and the import of each adapter',
    run: async (mode) => (await import('./in-process.js')).measureInProcess(mode),
  },
  suites: {
    description: 'a vitest suite of 300 tests with a stub, msw handlers, and each way to run petstore-mock in a test',
    run: async (mode) => (await import('./suites.js')).measureSuites(mode),
  },
  runtimes: {
    description: 'requests per second of the same build on Node, Bun and Deno',
    run: async (mode) => (await import('./runtimes.js')).measureRuntimes(mode),
    long: true,
  },
}
