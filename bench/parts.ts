import type { Mode, Outcome } from './outcome.js'

export interface Part {
  /** For the help. */
  readonly about: string
  /** Left out when it is to be quick, unless it is asked for. */
  readonly long?: true
  run(mode: Mode): Promise<Outcome>
}

/** In the order in which they run. Each is loaded only where it runs. */
export const parts: Readonly<Record<string, Part>> = {
  throughput: {
    about: 'requests a second of the built server, as shares of raw node:http, beside the peers',
    run: async (mode) => (await import('./throughput.js')).measureThroughput(mode),
  },
  'start-up': {
    about: 'from the spawn of the built command to its first 200',
    run: async (mode) => (await import('./start-up.js')).measureStartUp(mode),
  },
  growth: {
    about: 'the cost of an operation from 100 to 1,000,000 pets (quick: 100,000)',
    run: async (mode) => (await import('./growth.js')).measureGrowth(mode),
  },
  memory: {
    about: 'bytes by pet, journal entry and sandbox; the server idle and after a million requests (quick: 200,000)',
    run: async (mode) => (await import('./memory.js')).measureMemory(mode),
  },
  'in-process': {
    about: 'petstore.fetch, intercepted fetch, and the import of each adapter',
    run: async (mode) => (await import('./in-process.js')).measureInProcess(mode),
  },
  worlds: {
    about: 'large worlds: to generate, to load, to go back to, beside stock @mswjs/data',
    run: async (mode) => (await import('./worlds.js')).measureWorlds(mode),
  },
  hostile: {
    about: 'a well-behaved client beside thousands of slow connections, and SIGTERM while they are there',
    run: async () => (await import('./hostile.js')).measureHostile(),
    long: true,
  },
}
