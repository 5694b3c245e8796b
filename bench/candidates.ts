import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Case, type CaseName, cases, PETS } from './cases.js'
import type { Mode } from './outcome.js'
import { builtCommand, type Command, here } from './processes.js'

/** A server to measure. */
export interface Candidate {
  readonly name: string
  /** The package and version, and the version of Node if it differs. */
  readonly version?: string
  command(): Command
  /** Whether it validates requests against the OpenAPI document. */
  readonly validates: boolean
  /** The statuses that differ from ours; undefined if it does not support the case. */
  readonly statuses?: Readonly<Partial<Record<CaseName, number | undefined>>>
  /** The targets that differ from ours. */
  readonly targets?: Readonly<Partial<Record<CaseName, string>>>
  /** The request that resets it; without one it is restarted. 'none' if it stores nothing. */
  readonly reset?: { readonly method: string; readonly target: string } | 'none'
}

/** The starting data of all servers, in a folder that is deleted when the process exits. */
export interface StartingData {
  readonly folder: string
  /** In our own format: `{ categories, pets, inventory, orders }`. */
  readonly file: string
}

export function createStartingData(): StartingData {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'starting-data.json')
  writeFileSync(file, execFileSync(process.execPath, [builtCommand, 'generate', '--pets', String(PETS)]))
  return { folder, file }
}

/** An argument of the commands that are given an OpenAPI document. */
export const PETSTORE_DOCUMENT = here('../spec/openapi.yaml')

export const BASELINE = here('servers/baseline.mjs')

export const OURS = 'petstore-mock'
export const OTHER_BUILD = 'the other build'
/** Reads and compiles the document when it starts, as it does for any other one. */
export const OF_DOCUMENT = 'petstore-mock --document'
export const BY_HAND = 'written by hand'

/** What a developer writes instead of using a mock. */
export function createByHand({ file }: StartingData): Candidate {
  return {
    name: BY_HAND,
    command: () => ({ args: [here('servers/hand-written.mjs'), '{port}', file] }),
    validates: false,
    reset: { method: 'POST', target: '/reset' },
  }
}

/** The build of this checkout, and another one if there is one to compare with. */
export function createBuilds(startingData: StartingData, { against }: Mode): Candidate[] {
  const others = against === undefined ? [] : [createOurs(startingData, join(against, 'cli.js'))]
  const ours = createOurs(startingData)
  const ofDocument: Candidate = {
    ...ours,
    name: OF_DOCUMENT,
    command: () => ({ args: [...ours.command().args, '--document', PETSTORE_DOCUMENT] }),
  }
  return [ours, ofDocument, ...others]
}

export function createOurs({ file }: StartingData, command = builtCommand): Candidate {
  return {
    name: command === builtCommand ? OURS : OTHER_BUILD,
    command: () => ({ args: [command, '--port', '{port}', '--quiet', '--fixtures', file] }),
    validates: true,
    reset: { method: 'POST', target: '/__admin/reset' },
  }
}

/** Raw node:http that returns our response to one case, which is recorded first. */
export async function createBaseline(name: CaseName, { folder }: StartingData, ourPort: number): Promise<Candidate> {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(await recordResponse(cases[name], ourPort)))
  return {
    name: 'raw node:http',
    command: () => ({ args: [BASELINE, '{port}', file] }),
    validates: false,
    reset: 'none',
  }
}

/** Headers that node:http sends by itself. */
const SENT_BY_NODE = ['date', 'connection', 'keep-alive']

async function recordResponse({ method, target, body, sameHeaders }: Case, port: number) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { method, headers, ...(body && { body }) })
  const sent = [...response.headers].filter(([name]) => !SENT_BY_NODE.includes(name))
  const needed = sent.filter(([name]) => sameHeaders || name.startsWith('content-'))
  return { status: response.status, headers: Object.fromEntries(needed), body: await response.text() }
}
