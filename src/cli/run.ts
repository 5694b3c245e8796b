import { FileError } from '../document/load/file-error.js'
import { SeveralErrors } from '../engine/control/unreported-errors.js'
import { version } from '../generated/lib/version.js'
import { MockError } from '../http/errors.js'
import { generate } from './commands/generate.js'
import { init } from './commands/init.js'
import { serve } from './commands/serve.js'
import { describeInvalid, UsageError } from './flag-values.js'
import { isCommandName, variableOf } from './flags.js'
import { commandHelp, generalHelp } from './help.js'
import { type Io, OutputError, printableLines, toPrintableJson, write } from './io.js'
import { type Command, findMisspelledVariables, parseCommand } from './parse.js'

const OK = 0
const FAILED = 1
const USAGE = 2

/** Runs a command to its end. Returns the exit code. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv, io: Io): Promise<number> {
  const isJson = logsJson(args, env)
  const report = (event: 'error' | 'warning', message: string): void =>
    void io.stderr.write(
      `${isJson ? toPrintableJson({ event, message }) : `petstore-mock: ${printableLines(message)}`}\n`,
    )
  let command: Command | undefined
  try {
    command = parseCommand(args, env)
    if ('settings' in command) for (const line of findMisspelledVariables(env)) report('warning', line)
    return await execute(command, env, io)
  } catch (error) {
    const [code, lines] = explain(error, command, args)
    for (const line of lines) report('error', line)
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
      const { verify } = await import('./commands/verify.js')
      return verify(command.argument, command.settings, env, io)
    }
    case 'replay': {
      const { replay } = await import('./commands/replay.js')
      return replay(command.argument, command.settings, env, io)
    }
    case 'pull': {
      const { pull } = await import('./commands/pull.js')
      return pull(command.argument, command.settings, io)
    }
    case 'mcp': {
      const { mcp } = await import('./commands/mcp.js')
      return mcp(command.settings, env, io).then(() => OK)
    }
    case 'inspect': {
      const { inspect } = await import('./commands/inspect.js')
      return print(await inspect(command.argument, command.settings))
    }
    case 'compile': {
      const { compile } = await import('./commands/inspect.js')
      return compile(command.argument, command.settings, io).then(() => OK)
    }
    case 'spec': {
      const { spec } = await import('./commands/spec.js')
      return print(await spec(command.settings))
    }
  }
}

/** Whether --log-format json is given, for errors in other flags as well. */
function logsJson(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  if (args.some(isCommandName) && !args.includes('serve')) return false
  const given = args.lastIndexOf('--log-format')
  if (given >= 0) return args[given + 1] === 'json'
  return args.includes('--log-format=json') || env[variableOf('log-format')] === 'json'
}

function explain(
  error: unknown,
  command: Command | undefined,
  args: readonly string[],
): [exitCode: number, lines: readonly string[]] {
  if (error instanceof UsageError) {
    const name = args.find(isCommandName)
    return [USAGE, [`${error.message} See "petstore-mock ${name === undefined ? '' : `${name} `}--help".`]]
  }
  if (error instanceof FileError) return [FAILED, error.lines]
  if (error instanceof SeveralErrors) {
    const lines = error.errors.flatMap((each: unknown) => explain(each, command, args)[1])
    return [FAILED, error.left > 0 ? [...lines, `and ${error.left} more`] : lines]
  }
  if (error instanceof OutputError) return [FAILED, error.cause.code === 'EPIPE' ? [] : [error.message]]
  if (!(error instanceof MockError)) {
    return [FAILED, [`Unexpected error: ${error instanceof Error ? error.message : String(error)}`]]
  }
  const { code, message, option = '', expected, received } = error
  const name = command && 'sources' in command ? command.sources[option] : undefined
  const line = name === undefined || expected === undefined ? message : describeInvalid(name, expected, received)
  return [code === 'INVALID_OPTION' || code === 'UNKNOWN_SCENARIO' ? USAGE : FAILED, [line]]
}
