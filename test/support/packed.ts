import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const run = promisify(execFile)
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Packs the last build, as it would be published, into the folder. Returns the tarball. */
export async function packInto(folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root })
  return join(folder, stdout.trim())
}

/** Installation depends on the network. */
export const INSTALL_TIMEOUT_MS = 300_000

/** Runs npm without colours and without the variables of the test runner. Returns its output. */
export async function npm(folder: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<string> {
  const isOurs = (name: string) => /^(VITE|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|TEST$|BASE_PATH$)/.test(name)
  const inherited = Object.entries(process.env).filter(([name]) => !isOurs(name))
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1', ...extra }
  try {
    const { stdout, stderr } = await run('npm', [...args], { cwd: folder, env, timeout: INSTALL_TIMEOUT_MS })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr, code, signal } = error as Record<string, unknown>
    throw new Error(`npm ${args.join(' ')} failed with ${signal ?? `exit code ${code}`}\n${stdout}\n${stderr}`)
  }
}
