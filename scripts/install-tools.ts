import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Installs what a folder's lockfile says, unless that has been done since the lockfile changed. */
export function installTools(folder: string): void {
  const done = join(folder, 'node_modules/.package-lock.json')
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs) return
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...quiet], { cwd: folder, stdio: 'inherit' })
}
