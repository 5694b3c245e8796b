import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const run = promisify(execFile)
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Packs what was built last, as it would be published. Returns the tarball, which is in the folder then. */
export async function packInto(folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root })
  return join(folder, stdout.trim())
}
