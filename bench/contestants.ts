import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Case, type CaseName, cases, PETS } from './cases.js'
import { builtCommand, type Command, here } from './processes.js'

/** A server that takes part. */
export interface Contestant {
  readonly name: string
  /** Of what, and on which Node when that is another one. */
  readonly version?: string
  command(): Command
  /** Whether it checks what it is sent against the document. */
  readonly validates: boolean
  /** The status it answers a case with when that is not ours, or nothing when it cannot do it. */
  readonly statuses?: Readonly<Partial<Record<CaseName, number | undefined>>>
  /** Where it has a case when that is not where we have it. */
  readonly targets?: Readonly<Partial<Record<CaseName, string>>>
  /** What puts it back after it was written to; otherwise it is started again. Nothing is needed when it keeps nothing. */
  readonly reset?: { readonly method: string; readonly target: string } | 'none'
}

/** The world everybody serves, as files in a folder that goes when the process does. */
export interface World {
  readonly folder: string
  /** In our own format: `{ categories, pets, inventory, orders }`. */
  readonly file: string
}

export function createWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'world.json')
  writeFileSync(file, execFileSync(process.execPath, [builtCommand, 'generate', '--pets', String(PETS)]))
  return { folder, file }
}

export const FLOOR = here('servers/floor.mjs')

export function createOurs({ file }: World): Contestant {
  return {
    name: 'petstore-mock',
    command: () => ({ args: [builtCommand, '--port', '{port}', '--quiet', '--fixtures', file] }),
    validates: true,
    reset: { method: 'POST', target: '/__admin/reset' },
  }
}

/** Raw node:http that gives our answer to one case, so it has to hear it first. */
export async function createFloor(name: CaseName, { folder }: World, ourPort: number): Promise<Contestant> {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(await recordAnswer(cases[name], ourPort)))
  return {
    name: 'raw node:http',
    command: () => ({ args: [FLOOR, '{port}', file] }),
    validates: false,
    reset: 'none',
  }
}

/** Headers that node:http sends by itself. */
const OF_NODE = ['date', 'connection', 'keep-alive']

async function recordAnswer({ method, target, body, sameHeaders }: Case, port: number) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { method, headers, ...(body && { body }) })
  const sent = [...response.headers].filter(([name]) => !OF_NODE.includes(name))
  const needed = sent.filter(([name]) => sameHeaders || name.startsWith('content-'))
  return { status: response.status, headers: Object.fromEntries(needed), body: await response.text() }
}
