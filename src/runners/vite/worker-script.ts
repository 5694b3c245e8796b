import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { MockError } from '../../http/errors.js'

/** The worker script of a project's own msw, because script and library must have the same version. */
export function readWorkerScript(project: string): string {
  const file = findWorkerScript(project)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new MockError('WORKER_UNUSABLE', `Cannot read the worker script: ${(error as Error).message}.`)
  }
}

function findWorkerScript(project: string): string {
  try {
    return createRequire(join(project, 'package.json')).resolve('msw/mockServiceWorker.js')
  } catch {
    throw new MockError('WORKER_UNUSABLE', 'msw is not installed in this project. Run: npm install --save-dev msw')
  }
}
