import { MockError } from '../engine/contract/errors.js'
import { version } from '../lib/generated/version.js'
import { FileError } from './fixture-file.js'
import { describeInvalid, UsageError } from './flag-values.js'
import { generate } from './generate.js'
import { commandHelp, generalHelp } from './help.js'
import { init } from './init.js'
import { type Io, OutputError, write } from './io.js'
import { type Command, findMisspelledVariables, parseCommand } from './parse.js'
import { serve } from './serve.js'

const OK = 0
const FAILED = 1
const USAGE = 2

/** Runs a command to its end. Returns the exit code. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv, io: Io): Promise<number> {
  const report = (line: string): void => void io.stderr.write(`petstore-mock: ${line}\n`)
  let command: Command | undefined
  try {
    command = parseCommand(args, env)
    if ('settings' in command) findMisspelledVariables(env).forEach(report)
    return await execute(command, env, io)
  } catch (error) {
    const [code, lines] = explain(error, command)
    lines.forEach(report)
    return code
  }
}

async function execute(command: Command, env: NodeJS.ProcessEnv, io: Io): Promise<number> {
  const print = (text: string): Promise<number> => write(io.stdout, text).then(() => OK)
  switch (command.name) {
    case 'help':
      return print(command.of === undefined ? generalHelp() : commandHelp(command.of))
    case 'version':
      return print(`${version}\n`)
    case 'serve':
      return serve(command.settings, env, io).then(() => OK)
    case 'generate':
      return print(await generate(command.settings, io))
    case 'init':
      return print(init(command.argument, io.cwd()))
    // Imported when needed, so that the server does not load them.
    case 'verify': {
      const { verify } = await import('./verify.js')
      return verify(command.argument, command.settings, env, io)
    }
    case 'replay': {
      const { replay } = await import('./replay.js')
      return replay(command.argument, command.settings, env, io)
    }
    case 'pull': {
      const { pull } = await import('./pull.js')
      return pull(command.argument, command.settings, io)
    }
    case 'spec': {
      const { openapi } = await import('../petstore/documents.js')
      return print(command.settings.format === 'yaml' ? openapi.yaml : `${JSON.stringify(openapi.document, null, 2)}\n`)
    }
  }
}

function explain(error: unknown, command: Command | undefined): [exitCode: number, lines: readonly string[]] {
  if (error instanceof UsageError) return [USAGE, [`${error.message} See "petstore-mock --help".`]]
  if (error instanceof FileError) return [FAILED, error.lines]
  if (error instanceof OutputError) return [FAILED, error.cause.code === 'EPIPE' ? [] : [error.message]]
  if (!(error instanceof MockError)) {
    return [FAILED, [`Unexpected error: ${error instanceof Error ? error.message : String(error)}`]]
  }
  const { code, message, option = '', expected, received } = error
  const name = command && 'sources' in command ? command.sources[option] : undefined
  const line = name === undefined || expected === undefined ? message : describeInvalid(name, expected, received)
  return [code === 'INVALID_OPTION' || code === 'UNKNOWN_SCENARIO' ? USAGE : FAILED, [line]]
}
