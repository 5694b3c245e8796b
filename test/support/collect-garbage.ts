import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const { Bun } = globalThis as { Bun?: { gc(isSynchronous: true): void } }

/** Works without starting the process with `--expose-gc`. */
export function collectGarbage(): void {
  if (Bun) {
    Bun.gc(true)
    return
  }
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
