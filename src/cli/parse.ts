import { parseArgs } from 'node:util'
import { quote } from '../contract/errors.js'
import {
  type CommandName,
  FLAGS,
  type Flag,
  flagsOf,
  type GenerateSettings,
  type ServeSettings,
  variableOf,
} from './flags.js'
import { UsageError } from './usage-error.js'

export type Command =
  | { readonly name: 'serve'; readonly settings: ServeSettings }
  | { readonly name: 'generate'; readonly settings: GenerateSettings }
  | { readonly name: 'init'; readonly folder: string }
  | { readonly name: 'help' }
  | { readonly name: 'version' }

/** Reads the command line, then the environment where the line says nothing. */
export function parseCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Command {
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(
        Object.entries(FLAGS).map(([name, { value, short }]) => [
          name,
          { type: value ? ('string' as const) : ('boolean' as const), ...(short !== undefined && { short }) },
        ]),
      ),
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
    strict: false,
    tokens: true,
  })
  const options = tokens.filter((token) => token.kind === 'option')
  if (options.some(({ name }) => name === 'help')) return { name: 'help' }
  if (options.some(({ name }) => name === 'version')) return { name: 'version' }
  for (const { name, rawName } of options) {
    if (!Object.hasOwn(FLAGS, name)) throw new UsageError(`unknown flag ${shorten(rawName)}`)
  }
  const [command, argument] = readCommandName(
    tokens.filter((token) => token.kind === 'positional').map(({ value }) => value),
  )
  const flags = flagsOf(command)
  for (const { name, rawName } of options) {
    if (!Object.hasOwn(flags, name)) throw new UsageError(`${command} takes no ${rawName}`)
  }
  if (command === 'init') return { name: command, folder: argument }
  const settings = { ...readEnvironment(flags, environment), ...readFlags(flags, options) }
  return command === 'serve' ? toServe(settings) : { name: command, settings }
}

function toServe(settings: Record<string, unknown>): Command {
  const complete = { quiet: false, logFormat: 'pretty', ...settings } as unknown as ServeSettings
  if (complete.watch && complete.fixtures === undefined) {
    throw new UsageError('--watch needs --fixtures: without it there is no file to watch')
  }
  return { name: 'serve', settings: complete }
}

interface GivenFlag {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
}

function readFlags(flags: Readonly<Record<string, Flag>>, options: readonly GivenFlag[]): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  const given = new Set<string>()
  for (const { name, rawName, value } of options) {
    const flag = flags[name] as Flag
    const repeated = given.has(name)
    if (repeated && !flag.repeatable) throw new UsageError(`${rawName} is given twice`)
    given.add(name)
    const read = readValue(flag, rawName, value)
    settings[flag.setting] = flag.repeatable ? [...(repeated ? (settings[flag.setting] as unknown[]) : []), read] : read
  }
  return settings
}

/** The command and, where it takes one, its argument. */
function readCommandName([command = 'serve', argument, ...others]: string[]): [CommandName, string] {
  if (!isCommandName(command)) throw new UsageError(`unknown command ${quote(command)}`)
  const takesOne = command === 'init'
  if (takesOne && argument === undefined) {
    throw new UsageError('init needs the folder that your web server serves files from: petstore-mock init public')
  }
  const excess = takesOne || argument === undefined ? others : [argument, ...others]
  if (excess.length > 0) {
    throw new UsageError(`${command} takes ${takesOne ? 'one' : 'no'} argument, but got ${quote(excess.join(' '))}`)
  }
  return [command, argument ?? '']
}

function isCommandName(command: string): command is CommandName {
  return command === 'serve' || command === 'generate' || command === 'init'
}

/** A flag as it was typed, fit for one line. */
function shorten(rawName: string): string {
  return quote(rawName).slice(1, -1)
}

function readValue(flag: Flag, rawName: string, value: string | undefined): unknown {
  if (flag.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`)
    return true
  }
  // What looks like the next flag is the next flag, not a value that somebody left out.
  if (value === undefined || value === '' || value.startsWith('--'))
    throw new UsageError(`${rawName} needs a value: ${flag.value}`)
  return named(rawName, () => flag.read(value))
}

function readEnvironment(
  flags: Readonly<Record<string, Flag>>,
  environment: NodeJS.ProcessEnv,
): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(flags)) {
    const variable = variableOf(name)
    const value = environment[variable]
    if (value === undefined || value === '') continue
    const read = () => (flag.repeatable ? value.split(',').map((part) => flag.read(part.trim())) : flag.read(value))
    settings[flag.setting] = named(variable, read)
  }
  return settings
}

function named<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${name} ${error.message}`) : error
  }
}
