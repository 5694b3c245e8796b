import { parseArgs } from 'node:util'
import { quote } from '../engine/contract/errors.js'
import { suggest } from '../lib/nearest.js'
import { isScenarioName } from '../petstore/fixtures/scenarios.js'
import {
  argumentOf,
  COMMAND_NAMES,
  type CommandName,
  EVERY_FLAG,
  type Flag,
  type Flags,
  flagsOf,
  type GenerateSettings,
  isCommandName,
  type ServeSettings,
  type SpecSettings,
  type VerifySettings,
  variableOf,
} from './flags.js'
import { UsageError } from './usage-error.js'

export type Command =
  | { readonly name: 'serve'; readonly settings: ServeSettings }
  | { readonly name: 'generate'; readonly settings: GenerateSettings }
  | { readonly name: 'init'; readonly folder: string }
  | { readonly name: 'verify'; readonly baseUrl: string; readonly settings: VerifySettings }
  | { readonly name: 'spec'; readonly settings: SpecSettings }
  | { readonly name: 'help'; readonly of?: CommandName }
  | { readonly name: 'version' }

/** Reads the command line, then the environment where the line says nothing. */
export function parseCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Command {
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(
        Object.entries(EVERY_FLAG).map(([name, { value, short }]) => [
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
  const words = tokens.filter((token) => token.kind === 'positional').map(({ value }) => value)
  if (options.some(({ name }) => name === 'help')) return toHelp(words[0])
  if (options.some(({ name }) => name === 'version')) return { name: 'version' }
  if (words[0] === 'help') return toHelp(words[1])
  refuseUnknown(options, args, words)
  const [command, argument] = readCommandName(words)
  const flags = flagsOf(command)
  for (const { name, rawName } of options) {
    if (!Object.hasOwn(flags, name)) throw new UsageError(`${command} takes no ${rawName}`)
  }
  const settings = { ...readEnvironment(flags, environment), ...readFlags(flags, options) }
  return toCommand(command, argument, settings)
}

/** Flags that there are not, and those with one dash where two are needed: `-port` would be `-p ort`. */
function refuseUnknown(options: readonly GivenFlag[], args: readonly string[], words: readonly string[]): void {
  const known = Object.keys(flagsOf(words.find(isCommandName) ?? 'serve'))
  const nearest = (name: string): string => suggest(name, [...known, 'help', 'version'], (each) => `--${each}`)
  for (const { name, rawName, index } of options) {
    const [, oneDashed] = /^-([a-z][a-z-]+)(?:=|$)/i.exec(args[index] ?? '') ?? []
    const meant = oneDashed === undefined ? '' : nearest(oneDashed)
    if (meant !== '') throw new UsageError(`unknown flag -${oneDashed}${meant}`)
    if (!Object.hasOwn(EVERY_FLAG, name)) throw new UsageError(`unknown flag ${shorten(rawName)}${nearest(name)}`)
  }
}

function toHelp(command: string | undefined): Command {
  return command !== undefined && isCommandName(command) ? { name: 'help', of: command } : { name: 'help' }
}

function toCommand(name: CommandName, argument: string, settings: Record<string, unknown>): Command {
  switch (name) {
    case 'serve':
      return toServe(settings)
    case 'generate':
      return { name, settings }
    case 'init':
      return { name, folder: argument }
    case 'verify': {
      const complete = { readOnly: false, format: 'text', headers: [], timeout: 10_000, ...settings }
      return { name, baseUrl: readBaseUrl(argument), settings: complete as VerifySettings }
    }
    case 'spec':
      return { name, settings: { format: 'yaml', ...settings } as SpecSettings }
  }
}

/** An address that paths can be put behind. */
function readBaseUrl(text: string): string {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.search !== '' || url.hash !== '') {
    throw new UsageError(`the address must be like http://127.0.0.1:4010 or https://host/path, but is ${quote(text)}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError("the address must hold no user and password: send them with --header 'Authorization: …'")
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
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
  /** Of the argument that it stands in. */
  readonly index: number
  readonly rawName: string
  readonly value?: string | undefined
}

function readFlags(flags: Flags, options: readonly GivenFlag[]): Record<string, unknown> {
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
  if (!isCommandName(command)) throw new UsageError(`unknown command ${quote(command)}${guess(command)}`)
  const [what, example] = argumentOf(command) ?? []
  if (what !== undefined && argument === undefined) {
    throw new UsageError(`${command} needs ${what}: petstore-mock ${command} ${example}`)
  }
  const excess = what !== undefined || argument === undefined ? others : [argument, ...others]
  if (excess.length > 0) {
    const many = what === undefined ? 'no' : 'one'
    throw new UsageError(`${command} takes ${many} argument, but got ${quote(excess.join(' '))}`)
  }
  return [command, argument ?? '']
}

/** What was meant by a word that is no command: often the value of a flag. */
function guess(word: string): string {
  if (/^\d{1,5}$/.test(word)) return `; did you mean --port ${word}?`
  if (isScenarioName(word)) return `; did you mean --scenario ${word}?`
  if (/\.(?:json|ya?ml)$/i.test(word)) return `; did you mean --fixtures ${shorten(word)}?`
  if (/^https?:/i.test(word)) return `; did you mean verify ${shorten(word)}?`
  return word === 'version' ? '; did you mean --version?' : suggest(word, COMMAND_NAMES)
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

function readEnvironment(flags: Flags, environment: NodeJS.ProcessEnv): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(flags)) {
    const variable = variableOf(name)
    const value = environment[variable]
    if (value === '' && flag.isSecret) throw new UsageError(`${variable} is empty: give it a value, or take it away`)
    if (value === undefined || value === '') continue
    settings[flag.setting] = named(variable, () => (flag.repeatable ? readAll(flag, value) : flag.read(value)))
  }
  return settings
}

function readAll({ read, separator = ',' }: Flag, value: string): unknown[] {
  return value.split(separator).map((part) => read(part.trim()))
}

function named<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${name} ${error.message}`) : error
  }
}
