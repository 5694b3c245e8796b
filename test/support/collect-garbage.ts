import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Without the process having been started for it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
