import { type CaseName, caseNames, cases } from './cases.js'
import { CONNECTIONS } from './load.js'
import type { Target } from './outcome.js'
import { count, printTable, printTitle, ratio } from './table.js'
import type { Result } from './throughput.js'

/** Below this load, the server was not the bottleneck of the sample. */
const BUSY = 0.9

/** The minimum shares of the baseline, and the minimum ratios to the validating reference. */
const MIN_SHARE: Readonly<Record<CaseName, number>> = { get: 0.68, list: 0.62, create: 0.5, invalid: 0.62 }
const MIN_RATIO: Readonly<Record<CaseName, number>> = { get: 5, list: 3, create: 2.4, invalid: 2.4 }

export const OURS = 'petstore-mock'
export const REFERENCE = 'openapi-backend'

export function printThroughput(
  results: readonly Result[],
  { rounds, sampleMs }: { rounds: number; sampleMs: number },
) {
  printTitle(
    'Throughput',
    `Shares of raw node:http, medians of ${rounds} rounds of ${sampleMs} ms, ${CONNECTIONS} connections. In brackets: the share by processor time.`,
  )
  const find = (candidate: string, name: CaseName) =>
    results.find((result) => result.candidate === candidate && result.caseName === name)
  const names = [...new Set(results.map(({ candidate }) => candidate))]
  printTable(
    ['', ...caseNames.map((name) => cases[name].name), 'validates'],
    names.map((name) => [
      name,
      ...caseNames.map((each) => toShare(find(name, each))),
      find(name, 'get')?.validates ? 'yes' : 'no',
    ]),
  )
  printTable(
    ['requests per second', ...caseNames.map((name) => cases[name].name)],
    names.map((name) => [name, ...caseNames.map((each) => toRate(find(name, each)))]),
  )
  printWarnings(results)
}

function toShare(result: Result | undefined): string {
  if (result === undefined) return '–'
  return `${ratio(result.share)} ${result.cpuShare === undefined ? '' : `(${ratio(result.cpuShare)})`}`.trim()
}

function toRate(result: Result | undefined): string {
  return result === undefined ? '–' : count(result.perSecond)
}

/** If a server was not busy, other processes or the client were the bottleneck. */
function printWarnings(results: readonly Result[]): void {
  const idle = results.filter(({ serverLoad = 1 }) => serverLoad < BUSY)
  if (idle.length === 0) return
  const least = Math.min(...idle.map(({ serverLoad = 1 }) => serverLoad))
  const client = Math.max(...results.map(({ clientLoad }) => clientLoad))
  console.log(
    `Warning: in ${idle.length} of ${results.length} results the server used less than ${BUSY} of a core (minimum ${ratio(least)}; client maximum ${ratio(client)}), because of other processes. For these, use the shares by processor time.`,
  )
}

export function toTargets(results: readonly Result[]): Target[] {
  return caseNames.flatMap((name) => {
    const of = (wanted: string) => results.find((one) => one.candidate === wanted && one.caseName === name)
    const ours = of(OURS)
    if (ours === undefined) return []
    const title = cases[name].name
    const note = ours.cpuShare === undefined ? '' : `${ratio(ours.cpuShare)} by processor time`
    const share = { name: `${title}, share of raw node:http`, value: ours.share, atLeast: MIN_SHARE[name], note }
    const reference = of(REFERENCE)
    if (reference === undefined) return [share]
    const fastest = Math.max(
      ...results
        .filter((one) => one.caseName === name && one.candidate !== OURS && one.candidate !== 'raw node:http')
        .map((one) => one.share),
    )
    return [
      share,
      { name: `${title}, times ${REFERENCE}`, value: ours.share / reference.share, atLeast: MIN_RATIO[name] },
      { name: `${title}, times the fastest peer`, value: ours.share / fastest, atLeast: 1 },
    ]
  })
}
