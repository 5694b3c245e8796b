import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { MockError } from '../engine/contract/errors.js'

const SCRIPT = 'mockServiceWorker.js'

/** What is written in every worker script of msw. */
const MARK = 'INTEGRITY_CHECKSUM'

/** Copies the worker script of the msw that the project has, and says what to do next. */
export function init(folder: string): void {
  const script = readScript()
  const target = join(resolve(folder), SCRIPT)
  const present = readIfThere(target)
  if (present !== undefined && !present.includes(MARK)) {
    throw new MockError(
      'WORKER_UNUSABLE',
      `${join(folder, SCRIPT)} is there already and is no worker script: move it away first`,
    )
  }
  const made = present === script ? undefined : write(target, script)
  process.stdout.write(`${nextSteps(join(folder, SCRIPT), present, script, made !== undefined)}\n`)
}

/** Of the project's own msw: the script and the library in the page must be of the same version. */
function readScript(): string {
  const { resolve: find } = createRequire(join(process.cwd(), 'package.json'))
  try {
    return readFileSync(find('msw/mockServiceWorker.js'), 'utf8')
  } catch {
    throw new MockError('WORKER_UNUSABLE', 'msw is not installed in this project: npm install --save-dev msw')
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cannot('read', error)
  }
}

/** Returns the first folder that it had to make, if any. */
function write(file: string, text: string): string | undefined {
  try {
    const made = mkdirSync(resolve(file, '..'), { recursive: true })
    writeFileSync(file, text)
    return made
  } catch (error) {
    throw cannot('write', error)
  }
}

function cannot(act: string, error: unknown): MockError {
  return new MockError('WORKER_UNUSABLE', `cannot ${act} the worker script: ${(error as Error).message}`)
}

function nextSteps(file: string, before: string | undefined, now: string, isNewFolder: boolean): string {
  const done = before === undefined ? 'Copied' : before === now ? 'Is up to date' : 'Updated'
  return [
    `${done}: ${file}${isNewFolder ? ' (the folder is new: is it the one that is served?)' : ''}`,
    '',
    'Next, where your application starts, in development only:',
    '',
    "  const { setupPetstore } = await import('petstore-mock/browser')",
    "  await setupPetstore({ baseUrl: '/api', keepState: true }).start()",
    '',
    'Run this again after msw was updated, and leave the script out of what you deploy. Where it is not at the root:',
    "  setupPetstore({ …, worker: '/app/mockServiceWorker.js' })",
  ].join('\n')
}
