import type { PetstoreServer, RequestRecord } from '../adapters/server/index.js'
import { type Coverage, formatCoverage } from '../engine/control/coverage.js'
import { version } from '../lib/generated/version.js'

/** How the command tells what happens. Each function returns a text for the terminal, without a trailing newline. */
export interface Printer {
  /** With the file of one's own fixtures, where there is one. */
  ready(server: PetstoreServer, fixtures?: string): string
  request(record: RequestRecord): string
  reloaded(fixtures: string): string
  /** The file has changed and cannot be used; each line is a problem. */
  notReloaded(fixtures: string, lines: readonly string[]): string
  stopping(): string
  coverage(report: Coverage): string
}

/** One JSON object a line. */
export const jsonPrinter: Printer = {
  ready: ({ url, port, host, petstore, adminToken }, fixtures) => {
    const { seed, scenario } = petstore.options
    return JSON.stringify({ event: 'ready', url, host, port, version, seed, scenario, fixtures, adminToken })
  },
  request: ({ failure, ...record }) =>
    JSON.stringify({ event: 'request', ...record, ...(failure !== undefined && { failure: String(failure) }) }),
  reloaded: (fixtures) => JSON.stringify({ event: 'reloaded', fixtures }),
  notReloaded: (fixtures, problems) => JSON.stringify({ event: 'not-reloaded', fixtures, problems }),
  stopping: () => JSON.stringify({ event: 'stopping' }),
  coverage: (report) => JSON.stringify({ event: 'coverage', ...report }),
}

export function createPrettyPrinter(colour: boolean): Printer {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const dim = (text: string): string => paint(2, text)
  return {
    ready({ url, petstore, adminToken }, fixtures) {
      const { seed, scenario } = petstore.options
      const over = fixtures === undefined ? '' : `${fixtures} over `
      return [
        `petstore-mock ${version} is ready ${dim(`(${over}scenario ${scenario}, seed ${seed})`)}`,
        `  API        ${url}`,
        `  Dashboard  ${url}/__admin/`,
        `  Reference  ${url}/docs`,
        ...(adminToken === undefined ? [] : [`  Token      ${adminToken} ${dim('(for /__admin)')}`]),
        `  Try        curl '${url}/pets?limit=3'`,
      ].join('\n')
    },
    request({ method, target, operation = '-', status, code, fault, durationMs, failure }) {
      const hue = status === 0 ? 31 : status < 400 ? 32 : status < 500 ? 33 : 31
      const why = failure === undefined ? '' : ` ${paint(31, String(failure).replaceAll(/\s+/g, ' '))}`
      const refusal = code === undefined ? '' : ` ${paint(hue, code)}`
      const met =
        fault === undefined ? '' : ` ${paint(35, `fault ${[fault.id, fault.kind].filter(Boolean).join(' ')}`)}`
      const words = [method.padEnd(7), paint(hue, status === 0 ? '---' : String(status)), operation.padEnd(15), target]
      return `${words.join(' ')} ${dim(`${durationMs.toFixed(1)} ms`)}${refusal}${met}${why}`
    },
    reloaded: (fixtures) => `Reloaded ${fixtures}: the world starts over from it.`,
    notReloaded: (_fixtures, lines) =>
      lines.map((line) => `petstore-mock: not reloaded, the old world stays: ${line}`).join('\n'),
    stopping: () => dim('Stopping: finishing what is in flight.'),
    coverage: (report) => formatCoverage(report, { colour }),
  }
}
