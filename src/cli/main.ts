#!/usr/bin/env node
import { MockError } from '../engine/contract/errors.js'
import { version } from '../lib/generated/version.js'
import { FixtureFileError } from './fixture-file.js'
import { flagFor, variableOf } from './flags.js'
import { generate } from './generate.js'
import { helpOf, helpText } from './help.js'
import { init } from './init.js'
import { parseCommand } from './parse.js'
import { serve } from './serve.js'
import { UsageError } from './usage-error.js'
import { findMisspelled } from './variables.js'

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
  if (command.name !== 'help' && command.name !== 'version')
    for (const each of findMisspelled(process.env)) reportError(each)
  switch (command.name) {
    case 'help':
      process.stdout.write(command.of === undefined ? helpText() : helpOf(command.of))
      break
    case 'version':
      process.stdout.write(`${version}\n`)
      break
    case 'generate':
      await generate(command.settings)
      break
    case 'init':
      init(command.folder)
      break
    // Loaded when they are needed, so that serving does not wait for them.
    case 'verify': {
      const { verify } = await import('./verify.js')
      process.exitCode = await verify(command.baseUrl, command.settings)
      break
    }
    case 'spec': {
      const { spec } = await import('./spec.js')
      spec(command.settings)
      break
    }
    case 'serve':
      await serve(command.settings)
  }
}

function report(error: unknown): number {
  if (error instanceof UsageError) {
    reportError(`${error.message} (petstore-mock --help lists the flags)`)
    return USAGE
  }
  if (error instanceof FixtureFileError) {
    for (const line of error.lines) reportError(line)
    return FAILED
  }
  if (error instanceof MockError) {
    reportError(describe(error))
    return CALLERS_MISTAKES.includes(error.code) ? USAGE : FAILED
  }
  reportError(`failed: ${error instanceof Error ? error.message : String(error)}`)
  return FAILED
}

/** Names the flag or the variable where the library names the option. */
function describe({ message, option, expected, received }: MockError): string {
  const flag = option === undefined || expected === undefined ? undefined : flagFor(option)
  if (flag === undefined) return message
  const isGiven = process.argv.some((argument) => argument === `--${flag}` || argument.startsWith(`--${flag}=`))
  return `${isGiven ? `--${flag}` : variableOf(flag)} must be ${expected}. Received: ${received}.`
}

function reportError(line: string): void {
  process.stderr.write(`petstore-mock: ${line}\n`)
}
