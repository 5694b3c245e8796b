import fs from 'node:fs'

const STDERR = 2

/** The mocks of which a call is missing, and the message that says so. */
const pending = new Map<object, () => string | undefined>()

/** Prints a message when the process ends, unless `forget` is called before. Replaces an earlier message of the mock. */
export function remindAtExit(mock: object, describe: () => string | undefined): void {
  // Only while there is something to say: in Jest, the listener keeps everything that a test file has loaded in memory.
  if (pending.size === 0) process.on('exit', printAll)
  pending.set(mock, describe)
}

export function forget(mock: object): void {
  if (pending.delete(mock) && pending.size === 0) process.off('exit', printAll)
}

/** Not called if a signal ends the process. After a failure, there is something more important to read. */
function printAll(exitCode: number): void {
  if (exitCode !== 0) return
  for (const describe of pending.values()) {
    const message = describe()
    // Not with `console`, which test runners replace and no longer print at this time.
    if (message !== undefined) fs.writeSync(STDERR, `petstore-mock: ${message}\n`)
  }
}
