import { type CaseName, caseNames, cases } from './cases.js'
import { printBars } from './chart.js'
import { CONNECTIONS } from './load.js'
import type { Target } from './outcome.js'
import { count, printTable, printTitle, ratio } from './table.js'
import type { Result } from './throughput.js'

/** A server that has been kept busy less than this was not what limited the sample. */
const BUSY = 0.9

/** What the share of the floor has to be, and how often as fast as the validating reference. */
const LEAST_SHARE: Readonly<Record<CaseName, number>> = { get: 0.75, list: 0.6, create: 0.65, invalid: 0.65 }
const LEAST_TIMES: Readonly<Record<CaseName, number>> = { get: 5, list: 3, create: 2.4, invalid: 2.4 }

export const OURS = 'petstore-mock'
export const REFERENCE = 'openapi-backend'

export function printThroughput(
  results: readonly Result[],
  { rounds, sampleMs }: { rounds: number; sampleMs: number },
) {
  printTitle(
    'Throughput',
    `Shares of raw node:http, medians of ${rounds} rounds of ${sampleMs} ms, ${CONNECTIONS} connections. In brackets the share by processor time.`,
  )
  const find = (contestant: string, name: CaseName) =>
    results.find((result) => result.contestant === contestant && result.caseName === name)
  const names = [...new Set(results.map(({ contestant }) => contestant))]
  printTable(
    ['', ...caseNames.map((name) => cases[name].name), 'validates'],
    names.map((name) => [
      name,
      ...caseNames.map((each) => toShare(find(name, each))),
      find(name, 'get')?.validates ? 'yes' : 'no',
    ]),
  )
  printTable(
    ['requests a second', ...caseNames.map((name) => cases[name].name)],
    names.map((name) => [name, ...caseNames.map((each) => toRate(find(name, each)))]),
  )
  const bars = names.flatMap((name) => find(name, 'get') ?? []).toSorted((a, b) => b.share - a.share)
  console.log(`${cases.get.name}, share of raw node:http\n`)
  printBars(bars.map(({ contestant, share }) => ({ name: contestant, value: share, label: ratio(share) })))
  printCautions(results)
}

function toShare(result: Result | undefined): string {
  if (result === undefined) return '–'
  return `${ratio(result.share)} ${result.cpuShare === undefined ? '' : `(${ratio(result.cpuShare)})`}`.trim()
}

function toRate(result: Result | undefined): string {
  return result === undefined ? '–' : count(result.perSecond)
}

/** When a server was not busy, something else was measured: other processes, or the client. */
function printCautions(results: readonly Result[]): void {
  const idle = results.filter(({ serverLoad = 1 }) => serverLoad < BUSY)
  if (idle.length === 0) return
  const least = Math.min(...idle.map(({ serverLoad = 1 }) => serverLoad))
  const client = Math.max(...results.map(({ clientLoad }) => clientLoad))
  console.log(
    `Caution: in ${idle.length} of ${results.length} figures the server used less than ${BUSY} of a core (${ratio(least)} at least; the client ${ratio(client)} at most), because other processes ran. Trust the shares by processor time there.`,
  )
}

export function toTargets(results: readonly Result[]): Target[] {
  return caseNames.flatMap((name) => {
    const of = (wanted: string) => results.find((one) => one.contestant === wanted && one.caseName === name)
    const ours = of(OURS)
    if (ours === undefined) return []
    const title = cases[name].name
    const note = ours.cpuShare === undefined ? '' : `${ratio(ours.cpuShare)} by processor time`
    const share = { name: `${title}, share of raw node:http`, value: ours.share, atLeast: LEAST_SHARE[name], note }
    const reference = of(REFERENCE)
    if (reference === undefined) return [share]
    const fastest = Math.max(
      ...results
        .filter((one) => one.caseName === name && one.contestant !== OURS && one.contestant !== 'raw node:http')
        .map((one) => one.share),
    )
    return [
      share,
      { name: `${title}, times ${REFERENCE}`, value: ours.share / reference.share, atLeast: LEAST_TIMES[name] },
      { name: `${title}, times the fastest peer`, value: ours.share / fastest, atLeast: 1 },
    ]
  })
}
