import type { Mode, Outcome } from './outcome.js'

export interface Part {
  /** For the help. */
  readonly about: string
  run(mode: Mode): Promise<Outcome>
}

/** In the order in which they run. Each is loaded only where it runs. */
export const parts: Readonly<Record<string, Part>> = {
  throughput: {
    about: 'requests a second of the built server, as shares of raw node:http, beside the peers',
    run: async (mode) => (await import('./throughput.js')).measureThroughput(mode),
  },
}
