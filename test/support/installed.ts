import { mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { run } from './packed.js'

/** An empty folder in which the packed package was installed. */
export interface Installed {
  readonly folder: string
  /** What npm printed. */
  readonly output: string
  /** The environment of a user without any configuration. */
  readonly env: NodeJS.ProcessEnv
  /** Runs a module in the folder with these arguments. Returns its output; a warning is an error. */
  runScript(source: string, node?: readonly string[], variables?: Record<string, string>): Promise<string>
  /** The same for a CommonJS script, in an async function. */
  runCommonJs(source: string, node?: readonly string[]): Promise<string>
  /** Runs the installed command to its end. */
  command(...args: string[]): Promise<{ stdout: string; stderr: string }>
}

/** Nothing is downloaded, because the package has no dependencies. */
export async function installPacked(): Promise<Installed> {
  const tarball = inject('tarball')
  const folder = await mkdtemp(join(dirname(tarball), 'installed-'))
  const userconfig = join(folder, '.npmrc-empty')
  await writeFile(userconfig, '')
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
  const isOurs = (name: string) => /^(?:npm_|VITE|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|TEST$|PETSTORE_)/i.test(name)
  const inherited = Object.entries(process.env).filter(([name]) => !isOurs(name))
  const npm = { NPM_CONFIG_USERCONFIG: userconfig, NPM_CONFIG_UPDATE_NOTIFIER: 'false' }
  const env = { ...Object.fromEntries(inherited), ...npm, NO_COLOR: '1' }
  async function runFile(name: string, source: string, node: readonly string[], variables: Record<string, string>) {
    await writeFile(join(folder, name), source)
    const args = ['--trace-deprecation', '--trace-warnings', ...node, name]
    const result = await run(process.execPath, args, { cwd: folder, env: { ...env, ...variables } })
    if (result.stderr !== '') throw new Error(`The script wrote to stderr: ${result.stderr}`)
    return result.stdout.trim()
  }
  const { stdout, stderr } = await run('npm', ['install', '--offline', '--no-audit', tarball], { cwd: folder, env })
  return {
    folder,
    output: stdout + stderr,
    env,
    runScript: (source, node = [], variables = {}) => runFile('script.mjs', source, node, variables),
    runCommonJs: (source, node = []) => runFile('script.cjs', `void (async () => {${source}})()`, node, {}),
    command: (...args) => run(join(folder, 'node_modules/.bin/petstore-mock'), args, { cwd: folder, env }),
  }
}
