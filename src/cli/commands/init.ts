import { lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { MockError } from '../../http/errors.js'
import { readWorkerScript } from '../../runners/vite/worker-script.js'

/** Part of every worker script of msw. */
const MARKER = 'INTEGRITY_CHECKSUM'

/** Copies the worker script of the project's own msw. */
export function init(folder: string, cwd: string): string {
  const file = join(folder, 'mockServiceWorker.js')
  const target = resolve(cwd, file)
  const script = readWorkerScript(cwd)
  // What a link leads to is not part of this folder, and may be missing.
  if (orUnusable('read', () => lstatSync(target, { throwIfNoEntry: false }))?.isSymbolicLink()) {
    throw new MockError('WORKER_UNUSABLE', `${file} is a symbolic link. Remove it first.`)
  }
  const existing = orUnusable('read', () => readIfPresent(target))
  if (existing === script) return `${file} is up to date.\n\n${NEXT_STEPS}`
  if (existing !== undefined && !existing.includes(MARKER)) {
    throw new MockError('WORKER_UNUSABLE', `${file} exists and is not a worker script of msw. Move it away first.`)
  }
  const newFolder = orUnusable('write', () => {
    const created = mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, script)
    return created
  })
  const hint = newFolder === undefined ? '' : ' The folder is new. Check that your web server serves it.'
  return `${existing === undefined ? 'Created' : 'Updated'} ${file}.${hint}\n\n${NEXT_STEPS}`
}

function readIfPresent(file: string): string | undefined {
  try {
    // What is no file, such as a device, is not replaced.
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : ''
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function orUnusable<T>(action: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new MockError('WORKER_UNUSABLE', `Cannot ${action} the worker script: ${(error as Error).message}.`)
  }
}

const NEXT_STEPS = `Next, where your application starts, in development only:

  const { setupPetstore } = await import('petstore-mock/browser')
  await setupPetstore({ baseUrl: '/api', keepState: true }).start()

If the script is not at the root of your site, add its URL: worker: '/app/mockServiceWorker.js'.
Run this command again after updating msw. Do not deploy the script.
`
