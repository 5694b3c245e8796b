import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installNode } from '../../scripts/install-node.js'
import type { Candidate, StartingData } from '../candidates.js'
import { here } from '../processes.js'
import { type Peer, peers } from './list.js'

const run = promisify(execFile)
const FOLDER = join(tmpdir(), 'petstore-mock-bench-peers')
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** Returns the peers that could be installed; prints the reason for each of the others. */
export async function installPeers(startingData: StartingData, chosen = peers): Promise<Candidate[]> {
  console.log(`\nPeers, installed once in ${FOLDER}:`)
  const found: Candidate[] = []
  for (const peer of chosen) {
    try {
      const candidate = await install(peer, startingData)
      console.log(`  ${peer.name}: ${candidate.version}`)
      found.push(candidate)
    } catch (error) {
      reportMissing(peer.name, error)
    }
  }
  return found
}

export function reportMissing(name: string, error: unknown): void {
  console.log(`  ${name} is skipped: ${(error as Error).message.split('\n')[0]}`)
}

async function install(peer: Peer, startingData: StartingData): Promise<Candidate> {
  const { packages, overrides = {}, script, node: wanted, args, ...candidate } = peer
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages, overrides })
  const cwd = join(FOLDER, hash(manifest))
  await once(cwd, async () => {
    writeFileSync(join(cwd, 'package.json'), manifest)
    await run('npm', ['install', ...QUIET], { cwd })
  })
  if (script !== undefined) copyFileSync(here(`peers/${script}`), join(cwd, script))
  const node = wanted === undefined || isSatisfied(wanted) ? undefined : await installOtherNode(wanted)
  const [[name, version] = []] = Object.entries(packages)
  const on = node === undefined ? '' : ` on Node ${(await run(node, ['--version'])).stdout.trim()}`
  const command = () => ({ cwd, args: args(startingData), ...(node !== undefined && { node }) })
  return { ...candidate, version: `${name} ${version}${on}`, command }
}

function isSatisfied(version: number): boolean {
  return Number(process.versions.node.split('.')[0]) >= version
}

async function installOtherNode(version: number): Promise<string> {
  const folder = join(FOLDER, `node-${version}`)
  await once(folder, async () => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    writeFileSync(join(folder, 'path'), await installNode(String(version), folder))
  })
  return readFileSync(join(folder, 'path'), 'utf8')
}

/** Fills a folder, unless that was completed before. */
async function once(folder: string, fill: () => Promise<void>): Promise<void> {
  const done = join(folder, 'done')
  if (existsSync(done)) return
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await fill()
  writeFileSync(done, '')
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
