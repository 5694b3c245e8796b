import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Installs a version of Node from npm. The package `node` downloads its binary in an install script, which many
 * configurations disable, so this installs the package of the platform directly.
 */
export async function installNode(version: string, prefix: string): Promise<string> {
  const { platform, arch } = process
  const system = platform === 'win32' ? 'win' : platform
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${system}-${arch}`
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  await run('npm', ['install', ...quiet, '--prefix', prefix, `${name}@${version}`], { cwd: prefix })
  return join(prefix, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node')
}
