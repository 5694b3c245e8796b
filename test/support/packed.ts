import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed package, in a folder for everything that the tests install. It is removed after the last test. */
    tarball: string
  }
}

export const run = promisify(execFile)
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The global setup of the package tests: packs the last build once for all of them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-packed-'))
  project.provide('tarball', await packInto(folder))
  return () => rm(folder, { recursive: true, force: true })
}

/** Packs the last build, as it would be published, into the folder. Returns the tarball. */
export async function packInto(folder: string): Promise<string> {
  if (!existsSync(join(root, 'dist/index.js'))) {
    throw new Error('dist/index.js is missing. Run `npm run build` first.')
  }
  // Without scripts, because prepack would build again.
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: root })
  return join(folder, stdout.trim())
}

/** Less than the time limit of a test, so that the error has npm's output. */
const TIMEOUT_MS = 500_000

/** Runs npm without colours and without the variables of the test runner. Returns its output. */
export async function npm(folder: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<string> {
  const isOurs = (name: string) => /^(VITE|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|TEST$|BASE_PATH$)/.test(name)
  const inherited = Object.entries(process.env).filter(([name]) => !isOurs(name))
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1', ...extra }
  try {
    const { stdout, stderr } = await run('npm', [...args], { cwd: folder, env, timeout: TIMEOUT_MS })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr, code, signal } = error as Record<string, unknown>
    throw new Error(`npm ${args.join(' ')} failed with ${signal ?? `exit code ${code}`}\n${stdout}\n${stderr}`)
  }
}

/** Copies an example as a user would, with the tarball in place of this repository. */
export async function copyExample(name: string, project: string, tarball: string): Promise<void> {
  const isSource = (path: string) =>
    !/[\\/](node_modules|dist|public|__pycache__|test-results|storybook-static)$/.test(path)
  await cp(join(root, 'examples', name), project, { recursive: true, filter: isSource })
  const path = join(project, 'package.json')
  const manifest = await readFile(path, 'utf8')
  const changed = manifest.replace('"petstore-mock": "file:../.."', `"petstore-mock": "file:${tarball}"`)
  if (changed === manifest) throw new Error(`The package.json of ${name} does not depend on "file:../..".`)
  await writeFile(path, changed)
}

/** Installs what the package.json of a folder says. Returns npm's output. */
export function install(project: string): Promise<string> {
  return npm(project, ['install', '--no-audit', '--no-fund', '--prefer-offline'])
}
