import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Installs the packages of a folder's lockfile, unless they have been installed since it changed. */
export function installTools(folder: string, { withDev = true } = {}): void {
  const done = join(folder, 'node_modules/.package-lock.json')
  const isCurrent = existsSync(done) && statSync(done).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
  const { devDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const needed = withDev ? Object.keys(devDependencies) : []
  if (isCurrent && needed.every((name) => existsSync(join(folder, 'node_modules', name)))) return
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...quiet, ...(withDev ? [] : ['--omit=dev'])], { cwd: folder, stdio: 'inherit' })
}
