#!/usr/bin/env node
import module from 'node:module'

// Before anything else is loaded: from Node 22 on, Node keeps the compiled code for the next start.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
enableCompileCache?.()
const { run } = await import('./run.js')

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// The server keeps running when its output cannot be written, for example after `| head` has closed the pipe.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

/** How long the last lines wait for a reader after a signal. */
const MAX_WAIT_FOR_READER_MS = 2000
let isStopping = false

process.exitCode = await run(process.argv.slice(2), process.env, {
  get stdin() {
    // Opened when it is read: otherwise a terminal would be switched to another mode.
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: () => process.cwd(),
  catchSignals,
})
// Lines that wait in a full pipe would keep the process alive.
if (isStopping) setTimeout(() => process.exit(), MAX_WAIT_FOR_READER_MS).unref()

function catchSignals(): AbortSignal {
  const controller = new AbortController()
  const stop = (): void => {
    // A second signal is not caught and ends the process at once.
    for (const signal of SIGNALS) process.off(signal, stop)
    isStopping = true
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return controller.signal
}
