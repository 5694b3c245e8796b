import { createSavedState } from '../../src/adapters/browser/saved-state.js'
import { serviceFile } from '../../src/cli/commands/inspect.js'
import { type AnyFixture, entriesIn, type FixtureEntry } from '../../src/engine/data/format.js'
import { formatFixture, formatFixtureAsYaml } from '../../src/engine/data/write.js'
import { carryOver } from '../../src/engine/mock/carry-over.js'
import { type AnyService, defineService, type MockOptions } from '../../src/engine/mock/define-service.js'
import { createDocumentService } from '../../src/engine/mock/document-service.js'
import { createMock as createParts, type Mock } from '../../src/engine/mock/mock.js'
import type { ServiceDefinition } from '../../src/engine/service.js'
import { parseJson, stringifyJson } from '../../src/lib/json.js'
import { createServiceTools, describeService } from '../../src/mcp/session.js'
import { createAdminSender } from '../../src/tools/client/admin-sender.js'
import { pullHar } from '../../src/tools/pull/pull-har.js'
import { type Pulled, pullService } from '../../src/tools/pull/pull-service.js'
import { sendsIds } from '../../src/tools/pull/routes.js'
import { pluralOf } from '../../src/tools/pull/words.js'
import { readReproduction, startingOptions } from '../../src/tools/replay/read-reproduction.js'
import { replay } from '../../src/tools/replay/replay.js'
import { toRecognised } from '../../src/tools/server/recognise-service.js'
import { verifyService } from '../../src/tools/verify/verify.js'
import { createRequestMaker } from '../fuzz/document-requests.js'
import { toSent } from '../fuzz/in-memory.js'
import { type FuzzRequest, toPlain } from '../fuzz/request.js'
import { importCompiled } from './compiled.js'

/* What must be equal for a mock of any document, whichever way its data or its responses take. */

type Service = ServiceDefinition<AnyService>
type AnyMock = Mock<AnyService>

/** Returns the differences. */
export type Row = (document: object) => Promise<readonly string[]>

const HOST = 'http://localhost'
const NOW = '2026-03-31T12:00:00Z'

/** At most so many operations of a document are called. */
const MAX_OPERATIONS = 150

const serviceOf = (document: object): Service => createDocumentService(document)

async function open(service: Service, options: MockOptions = {}) {
  const parts = createParts(service, options)
  await parts.mock.ready
  stopClock(parts.mock)
  return parts
}

function stopClock({ clock }: AnyMock): void {
  clock.freeze()
  clock.set(NOW)
}

/** A request to each operation, most of them valid, with ids that exist. */
function requestsOf(service: Service, state: AnyFixture): FuzzRequest[] {
  const make = createRequestMaker(service)
  const { length } = service.contract.operations()
  const step = Math.max(1, length / MAX_OPERATIONS)
  const indexes = Array.from({ length: Math.ceil(length / step) }, (_, index) => Math.floor(index * step))
  return indexes.flatMap((operation) =>
    [1, 2].map((seed) => make({ operation, pick: seed, seed: operation + seed, mutations: [] }, state)),
  )
}

/** Sends a request to each operation, and returns each with its response. */
async function exercise(mock: AnyMock, requests: readonly FuzzRequest[]): Promise<readonly string[]> {
  const lines: string[] = []
  for (const request of requests) {
    const { response, trace } = await mock.handle(toPlain(request))
    const { status, headers, text } = toSent(response)
    const { date: _, ...others } = headers
    if (trace.failure !== undefined) lines.push(`${request.method} ${request.target} failed: ${String(trace.failure)}`)
    lines.push(`${request.method} ${request.target}: ${status} ${JSON.stringify(others)} ${text}`)
  }
  return lines
}

async function exercised(document: object) {
  const service = serviceOf(document)
  const parts = await open(service)
  const requests = requestsOf(service, parts.mock.exportState())
  const lines = await exercise(parts.mock, requests)
  return { service, ...parts, requests, lines }
}

const MAX_LENGTH = 300

/** The lines that differ, in pairs. */
function differing(expected: readonly string[], received: readonly string[], what = ''): string[] {
  const count = Math.max(expected.length, received.length)
  return Array.from({ length: count }, (_, index) => index)
    .filter((index) => expected[index] !== received[index])
    .map((index) => `${what}${cut(expected[index], received[index])} → ${cut(received[index], expected[index])}`)
}

/** The start of a text, and where it begins to differ from another one. */
function cut(text = '(nothing)', other = ''): string {
  const at = [...text].findIndex((character, index) => character !== other[index])
  return at < 100 ? text.slice(0, MAX_LENGTH) : `${text.slice(0, 60)}…${text.slice(at - 40, at + MAX_LENGTH / 2)}`
}

/** A line for each record, the next ids and the hash. */
const linesOf = (state: AnyFixture): string[] =>
  Object.entries(state).flatMap(([name, value]) =>
    Array.isArray(value)
      ? [name, ...value.map((each) => `${name} ${stringifyJson(each)}`)]
      : [`${name} ${stringifyJson(value)}`],
  )

const stateOf = ({ mock }: { readonly mock: AnyMock }) => linesOf(mock.exportState())

/** The responses to reads, whatever has an id that exists. */
async function readAll({
  mock,
  service,
}: {
  readonly mock: AnyMock
  readonly service: Service
}): Promise<readonly string[]> {
  const reads = requestsOf(service, mock.exportState()).filter(({ method }) => method === 'GET')
  return exercise(mock, reads)
}

async function getText(mock: AnyMock, path: string): Promise<string> {
  return (await mock.fetch(`${HOST}${path}`)).text()
}

async function startsWithGenerated(document: object): Promise<readonly string[]> {
  const service = serviceOf(document)
  const expected = await open(service)
  const fixture = await service.loadScenario(service.resolveOptions({}))
  const differences: string[] = []
  for (const write of [formatFixture, formatFixtureAsYaml]) {
    const received = await open(service, { fixtures: write(fixture, service.fixtureFormat.resources) })
    differences.push(...differing(stateOf(expected), stateOf(received), `${write.name}: `))
    differences.push(
      ...differing(await readAll({ ...expected, service }), await readAll({ ...received, service }), `${write.name}: `),
    )
  }
  return differences
}

async function importsExported(document: object): Promise<readonly string[]> {
  const { service, mock } = await exercised(document)
  const exported = await getText(mock, '/__admin/state')
  const imported = await open(service)
  const headers = { 'Content-Type': 'application/json' }
  const response = await imported.mock.fetch(`${HOST}/__admin/state`, { method: 'PUT', headers, body: exported })
  if (response.status >= 400) return [`PUT: ${response.status} ${await response.text()}`]
  const started = await open(service, { fixtures: exported })
  const again = await getText(imported.mock, '/__admin/state')
  return [
    ...(exported === again ? [] : ['other bytes']),
    ...differing(stateOf({ mock }), stateOf(imported), 'imported: '),
    ...differing(stateOf({ mock }), stateOf(started), 'started: '),
    ...differing(await readAll({ mock, service }), await readAll({ ...imported, service }), 'imported: '),
    ...differing(await readAll({ mock, service }), await readAll({ ...started, service }), 'started: '),
  ]
}

async function replaysRecorded(document: object): Promise<readonly string[]> {
  const { service, mock } = await exercised(document)
  const json = parseJson(stringifyJson(mock.reproduction()) as string)
  const reproduction = readReproduction(json, service)
  const again = createParts(service, startingOptions<AnyService>(reproduction)).mock
  await again.ready
  const { signal } = new AbortController()
  const { requests } = await replay(again, reproduction, { contract: service.contract, signal })
  return requests.filter(({ outcome }) => outcome !== 'same').map((each) => JSON.stringify(each))
}

/** Records of the mock that are missing or differ, unless the report says so. Ids that no response contains are not compared. */
function missingIn(
  { fixture, omissions, notes }: Pulled,
  state: AnyFixture,
  { fixtureFormat, document }: Service,
): string[] {
  const neverSent = writeOnlyNames(document)
  return fixtureFormat.resources.flatMap((resource) => {
    const { name } = resource
    const isNamed =
      (omissions[name]?.count ?? 0) > 0 ||
      notes.some((note) => note.includes(` ${pluralOf(resource)} are `) || note.includes(` the ${pluralOf(resource)}:`))
    const textOf = (record: FixtureEntry) => {
      const entries = Object.entries(record).filter(([member]) => member !== 'id' || sendsIds(resource))
      const sorted = entries.sort(([one], [other]) => (one < other ? -1 : 1))
      return JSON.stringify(sorted, (member, value) => {
        if (neverSent.has(member)) return undefined
        return typeof value === 'bigint' ? String(value) : value
      })
    }
    const pulled = new Set(entriesIn(fixture, name).map(textOf))
    const records = entriesIn(state, name)
    const lost = records.filter((each) => !pulled.has(textOf(each)))
    if (lost.length === 0 || isNamed) return []
    return [
      `${name}: ${lost.length} of ${records.length} lost, such as ${stringifyJson(lost[0])?.slice(0, MAX_LENGTH)}`,
    ]
  })
}

/** The names of properties that only requests have. */
function writeOnlyNames(node: unknown, found = new Set<string>()): Set<string> {
  for (const [name, value] of Object.entries(Object(node))) {
    if (Object(value).writeOnly === true) found.add(name)
    if (typeof value === 'object') writeOnlyNames(value, found)
  }
  return found
}

const pullFrom = (service: Service, mock: AnyMock) =>
  pullService({
    service,
    baseUrl: HOST,
    fetch: (url, { signal: _, ...init }) => mock.fetch(url, init),
    headers: [],
    timeoutMs: 10_000,
    maxBytes: 50_000_000,
  })

/** Undefined if the document has no list that can be read, which is said. */
function unlessNothing(error: Error): undefined {
  if (!error.message.startsWith('Nothing can be pulled')) throw error
}

async function pullsItsData(document: object): Promise<readonly string[]> {
  const { service, mock } = await exercised(document)
  const pulled = await pullFrom(service, mock).catch(unlessNothing)
  if (pulled === undefined) return []
  const loaded = await open(service, { fixtures: formatFixture(pulled.fixture, service.fixtureFormat.resources) })
  return [
    ...missingIn(pulled, mock.exportState(), service),
    ...missingIn(pulled, loaded.mock.exportState(), service).map((each) => `loaded: ${each}`),
  ]
}

/** The responses to creates and updates, and then to reads of all lists. */
async function pullsItsTraffic(document: object): Promise<readonly string[]> {
  const { service, mock } = await exercised(document)
  const { fixture = {} } = (await pullFrom(service, mock).catch(unlessNothing)) ?? {}
  const har = parseJson(stringifyJson(mock.journal.toHar()) as string)
  const pulled = pullHar(har, { service, maxBytes: 50_000_000 })
  const loaded = await open(service, { fixtures: formatFixture(pulled.fixture, service.fixtureFormat.resources) })
  return [
    ...missingIn(pulled, fixture, service),
    ...missingIn(pulled, loaded.mock.exportState(), service).map((each) => `loaded: ${each}`),
  ]
}

async function compilesTheSame(document: object): Promise<readonly string[]> {
  const { service, requests, lines } = await exercised(document)
  const compiled = await importCompiled(service as never)
  const { mock } = await open(defineService(compiled) as unknown as Service)
  return differing(lines, await exercise(mock, requests))
}

const verifies =
  (allowWrites: boolean): Row =>
  async (document) => {
    const service = serviceOf(document)
    const { mock } = await open(service)
    const { errorCodes } = service
    const verified = { ...toRecognised(service), document, errorCodes }
    const report = await verifyService(verified, {
      baseUrl: HOST,
      fetch: (url, { signal: _, ...init }) => mock.fetch(url, init),
      headers: [],
      timeoutMs: 10_000,
      allowWrites,
    })
    const differences = report.groups
      .flatMap(({ operations }) => operations)
      .flatMap(({ operation, differences }) => differences.map((each) => `${operation} ${JSON.stringify(each)}`))
    return [...differences, ...report.changed.map((each) => `changed ${JSON.stringify(each)}`)]
  }

/** The service file that `inspect --format service` prints. `isWhole`: with every line that it has as a comment. */
async function importServiceFile(document: object, isWhole: boolean): Promise<Service> {
  const text = serviceFile(serviceOf(document), './openapi.json')
  const code = (isWhole ? text.replaceAll(/^(\s*)\/\/ (?=.*=>)/gm, '$1') : text)
    .replace(/^import .*\n/, '')
    .replace('export default', 'return')
    .replaceAll('import.meta.url', '""')
    .replace(/new URL\(.*\)(?=\))/, '""')
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  return new AsyncFunction('defineService', 'loadDocument', code)(defineService, async () => document)
}

async function inspectsTheSame(document: object): Promise<readonly string[]> {
  const { requests, lines } = await exercised(document)
  const { mock } = await open(await importServiceFile(document, false))
  return differing(lines, await exercise(mock, requests))
}

async function inspectsWhole(document: object): Promise<readonly string[]> {
  const { requests, lines } = await exercised(document)
  const { mock } = await open(await importServiceFile(document, true))
  return differing(lines, await exercise(mock, requests))
}

async function snapshotsAndResets(document: object): Promise<readonly string[]> {
  const service = serviceOf(document)
  const parts = await open(service)
  const { mock } = parts
  const start = stateOf(parts)
  const requests = requestsOf(service, mock.exportState())
  const lines = await exercise(mock, requests)
  const changed = stateOf(parts)
  mock.snapshots.take('changed')
  await exercise(mock, requestsOf(service, mock.exportState()).reverse())
  mock.snapshots.restore('changed')
  const restored = stateOf(parts)
  mock.reset()
  stopClock(mock)
  const reset = stateOf(parts)
  return [
    ...differing(changed, restored, 'restored: '),
    ...differing(start, reset, 'reset: '),
    ...differing(lines, await exercise(mock, requests), 'after a reset: '),
  ]
}

async function reloadsTheSame(document: object): Promise<readonly string[]> {
  const from = await exercised(document)
  const service = serviceOf(structuredClone(document))
  const to = { ...(await open(service)), service }
  const { dropped } = carryOver(from, to)
  return [...dropped, ...differing(stateOf(from), stateOf(to)), ...differing(await readAll(from), await readAll(to))]
}

async function keepsTheState(document: object): Promise<readonly string[]> {
  const service = serviceOf(document)
  const notices: string[] = []
  const openPage = async () => {
    const parts = await open(service)
    const onNotice = (notice: string) => void notices.push(notice)
    const state = createSavedState({ service, ...parts, options: {}, baseUrl: '/api', onNotice })
    state.restore()
    return { ...parts, service, state }
  }
  const first = await openPage()
  await exercise(first.mock, requestsOf(service, first.mock.exportState()))
  first.mock.snapshots.take('first')
  // A read may add a record that there is only one of.
  const taken = stateOf(first)
  first.state.save()
  const second = await openPage()
  const kept = [...differing(taken, stateOf(second)), ...differing(await readAll(first), await readAll(second))]
  second.mock.reset()
  second.mock.snapshots.restore('first')
  return [...notices, ...kept, ...differing(taken, stateOf(second), 'snapshot: ')]
}

async function describesOperations(document: object): Promise<readonly string[]> {
  const service = serviceOf(document)
  const { mock } = await open(service)
  const known = await describeService(service)
  const { toolbox } = createServiceTools(known)
  const sender = createAdminSender(HOST, { fetch: (url, init) => mock.fetch(String(url), init) })
  const context = { mock: sender, loadDocument: known.loadDocument }
  const failures: string[] = []
  for (const { operation, method, path } of service.contract.operations()) {
    const { structuredContent, content } = await toolbox.call(context, 'describe_service', { operation })
    const described = structuredContent?.operation as Record<string, unknown> | undefined
    const responses = Object.keys(Object(described?.responses))
    if (
      described?.request !== `${method} ${path}` ||
      (responses.length === 0 && declaresResponses(service, method, path))
    )
      failures.push(`${operation}: ${content[0]?.text.slice(0, MAX_LENGTH)}`)
  }
  return failures
}

function declaresResponses({ document }: Service, method: string, path: string): boolean {
  const { paths } = document as { paths: Record<string, Record<string, { responses?: object }>> }
  return Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).length > 0
}

/** By what they say. */
export const ROWS: Readonly<Record<string, Row>> = {
  'starts with what generate writes': startsWithGenerated,
  'imports what it exported': importsExported,
  'replays what it recorded': replaysRecorded,
  'gives its data to pull': pullsItsData,
  'gives its data in recorded traffic': pullsItsTraffic,
  'responds the same when compiled': compilesTheSame,
  'passes verify': verifies(false),
  'passes verify with writes': verifies(true),
  'responds the same as a service file': inspectsTheSame,
  'runs every line of its service file': inspectsWhole,
  'restores snapshots, and resets': snapshotsAndResets,
  'keeps its data when it is reloaded': reloadsTheSame,
  'keeps its data in a page': keepsTheState,
  'describes its operations to agents': describesOperations,
}
