import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Installs the packages of a folder's lockfile, unless they have been installed since it changed. */
export function installTools(folder: string): void {
  const done = join(folder, 'node_modules/.package-lock.json')
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs) return
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...quiet], { cwd: folder, stdio: 'inherit' })
}
