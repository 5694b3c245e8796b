import { BY_HAND, OF_DOCUMENT, OTHER_BUILD, OURS } from './candidates.js'
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

/** How much longer than with a server written by hand the slowest hundredth may take. */
const MAX_P99: Readonly<Partial<Record<CaseName, number>>> = { get: 2, list: 2 }

const REFERENCE = 'openapi-backend'
const NOT_PEERS = ['raw node:http', OURS, OF_DOCUMENT, OTHER_BUILD, BY_HAND]

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
  printTable(
    ['ms: mean, slowest hundredth', ...caseNames.map((name) => cases[name].name)],
    names.map((name) => [name, ...caseNames.map((each) => toDurations(find(name, each)))]),
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

function toDurations(result: Result | undefined): string {
  return result === undefined ? '–' : `${ratio(result.meanMs)}, ${ratio(result.p99Ms)}`
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
    const byHand = of(BY_HAND)
    const atMost = MAX_P99[name]
    const slowest = byHand === undefined || atMost === undefined ? [] : [toSlowest(title, ours, byHand, atMost)]
    const reference = of(REFERENCE)
    if (reference === undefined) return [share, ...slowest]
    const fastest = Math.max(
      ...results.filter((one) => one.caseName === name && !NOT_PEERS.includes(one.candidate)).map((one) => one.share),
    )
    return [
      share,
      ...slowest,
      { name: `${title}, times ${REFERENCE}`, value: ours.share / reference.share, atLeast: MIN_RATIO[name] },
      { name: `${title}, times the fastest peer`, value: ours.share / fastest, atLeast: 1 },
    ]
  })
}

function toSlowest(title: string, ours: Result, byHand: Result, atMost: number): Target {
  const value = ours.p99Ms / byHand.p99Ms
  return { name: `${title}, slowest hundredth, times ${BY_HAND}`, value, atMost }
}
