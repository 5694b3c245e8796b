import { version } from '../contract/generated/version.js'
import type { PetstoreServer, RequestRecord } from '../server/index.js'

/** How the command tells what happens. Each function returns a text for the terminal, without a trailing newline. */
export interface Printer {
  ready(server: PetstoreServer): string
  request(record: RequestRecord): string
  stopping(): string
}

/** One JSON object a line. */
export const jsonPrinter: Printer = {
  ready: ({ url, port, host, petstore, adminToken }) => {
    const { seed, scenario } = petstore.options
    return JSON.stringify({ event: 'ready', url, host, port, version, seed, scenario, adminToken })
  },
  request: ({ failure, ...record }) =>
    JSON.stringify({ event: 'request', ...record, ...(failure !== undefined && { failure: String(failure) }) }),
  stopping: () => JSON.stringify({ event: 'stopping' }),
}

export function createPrettyPrinter(colour: boolean): Printer {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const dim = (text: string): string => paint(2, text)
  return {
    ready({ url, petstore, adminToken }) {
      const { seed, scenario } = petstore.options
      return [
        `petstore-mock ${version} is ready ${dim(`(scenario ${scenario}, seed ${seed})`)}`,
        `  API       ${url}`,
        `  Document  ${url}/openapi.yaml`,
        `  Health    ${url}/__admin/health`,
        ...(adminToken === undefined ? [] : [`  Token     ${adminToken} ${dim('(for /__admin)')}`]),
        `  Try       curl '${url}/pets?limit=3'`,
      ].join('\n')
    },
    request({ method, target, operation = '-', status, durationMs, failure }) {
      const code = paint(status < 400 ? 32 : status < 500 ? 33 : 31, String(status))
      const why = failure === undefined ? '' : ` ${paint(31, String(failure).replaceAll(/\s+/g, ' '))}`
      return `${method.padEnd(7)} ${code} ${operation.padEnd(15)} ${target} ${dim(`${durationMs.toFixed(1)} ms`)}${why}`
    },
    stopping: () => dim('Stopping: finishing what is in flight.'),
  }
}
