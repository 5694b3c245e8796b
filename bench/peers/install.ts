import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installNode } from '../../scripts/install-node.js'
import type { Contestant, World } from '../contestants.js'
import { here } from '../processes.js'
import { type Peer, peers } from './list.js'

const run = promisify(execFile)
const FOLDER = join(tmpdir(), 'petstore-mock-bench-peers')
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** Those that could be installed; for each of the others a line says why not. */
export async function installPeers(world: World): Promise<Contestant[]> {
  console.log(`\nPeers, installed once below ${FOLDER}:`)
  const found: Contestant[] = []
  for (const peer of peers) {
    try {
      const contestant = await install(peer, world)
      console.log(`  ${peer.name}: ${contestant.version}`)
      found.push(contestant)
    } catch (error) {
      reportMissing(peer.name, error)
    }
  }
  return found
}

export function reportMissing(name: string, error: unknown): void {
  console.log(`  ${name} is left out: ${(error as Error).message.split('\n')[0]}`)
}

async function install(peer: Peer, world: World): Promise<Contestant> {
  const { packages, overrides = {}, script, node: wanted, args, ...contestant } = peer
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages, overrides })
  const cwd = join(FOLDER, hash(manifest))
  await once(cwd, async () => {
    writeFileSync(join(cwd, 'package.json'), manifest)
    await run('npm', ['install', ...QUIET], { cwd })
  })
  if (script !== undefined) copyFileSync(here(`peers/${script}`), join(cwd, script))
  const node = wanted === undefined || isEnough(wanted) ? undefined : await installOtherNode(wanted)
  const [[name, version] = []] = Object.entries(packages)
  const on = node === undefined ? '' : ` on Node ${(await run(node, ['--version'])).stdout.trim()}`
  const command = () => ({ cwd, args: args(world), ...(node !== undefined && { node }) })
  return { ...contestant, version: `${name} ${version}${on}`, command }
}

function isEnough(version: number): boolean {
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

/** Fills a folder unless that has been done to its end before. */
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
