#!/usr/bin/env node
import { MockError } from '../contract/errors.js'
import { version } from '../contract/generated/version.js'
import { startServer } from '../server/index.js'
import type { ServeSettings } from './flags.js'
import { helpText } from './help.js'
import { parseCommand } from './parse.js'
import { createPrettyPrinter, jsonPrinter } from './printer.js'
import { UsageError } from './usage-error.js'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const FAILED = 1
const USAGE = 2

/** Options that can only be found wrong by the mock itself, but are the caller's mistake all the same. */
const CALLERS_MISTAKES = ['INVALID_OPTION', 'UNKNOWN_SCENARIO']

// A reader that goes away (a closed pipe) does not bring the server down.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

try {
  await main()
} catch (error) {
  process.exitCode = report(error)
}

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2), process.env)
  switch (command.name) {
    case 'help':
      process.stdout.write(helpText())
      break
    case 'version':
      process.stdout.write(`${version}\n`)
      break
    case 'serve':
      await serve(command.settings)
  }
}

async function serve({ quiet, logFormat, ...options }: ServeSettings): Promise<void> {
  const colour = process.stdout.isTTY === true && !process.env.NO_COLOR
  const printer = logFormat === 'json' ? jsonPrinter : createPrettyPrinter(colour)
  const print = (text: string): void => {
    process.stdout.write(`${text}\n`)
  }
  const server = await startServer({
    ...options,
    ...(!quiet && { onRequest: (record) => print(printer.request(record)) }),
  })
  print(printer.ready(server))

  const stop = (): void => {
    // The second signal is not caught any more and ends the process at once.
    for (const signal of SIGNALS) process.off(signal, stop)
    if (!quiet) print(printer.stopping())
    void server.close()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
}

function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`petstore-mock: ${error.message} (petstore-mock --help lists the flags)\n`)
    return USAGE
  }
  if (error instanceof MockError) {
    process.stderr.write(`petstore-mock: ${error.message}\n`)
    return CALLERS_MISTAKES.includes(error.code) ? USAGE : FAILED
  }
  process.stderr.write(`petstore-mock: failed to start: ${error instanceof Error ? error.message : String(error)}\n`)
  return FAILED
}
