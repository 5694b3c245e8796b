import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Works without starting the process with `--expose-gc`. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
