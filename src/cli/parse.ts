import { parseArgs } from 'node:util'
import { REQUIRED_OPTIONS } from '../adapters/server/options.js'
import { findNearest } from '../lib/nearest.js'
import { quote } from '../lib/text.js'
import { groupBy } from '../lib/values.js'
import { isScenarioName } from '../petstore/fixtures/scenarios.js'
import { builtInService } from './choose-service.js'
import { BASE_URL, didYouMean, UsageError } from './flag-values.js'
import {
  ALL_FLAGS,
  ARGUMENTS,
  COMMAND_NAMES,
  type Flag,
  flagsOf,
  isCommandName,
  NEED_UPSTREAM,
  PASSPHRASE_VARIABLE,
  STARTED_MOCK_FLAGS,
  settingOf,
  toKebabCase,
  variableOf,
} from './flags.js'
import type { CommandName, Settings } from './settings.js'

type Table = Partial<Record<CommandName, Readonly<Record<string, readonly string[]>>>>

/** Flags that have no effect without others. */
const REQUIRED: Table = {
  serve: {
    force: ['record'],
    ...Object.fromEntries(
      Array.from(
        groupBy(REQUIRED_OPTIONS, ([option]) => option),
        ([option, same]) => [toKebabCase(option), same.map(([, required]) => toKebabCase(required))],
      ),
    ),
    ...Object.fromEntries(NEED_UPSTREAM.map((flag) => [flag, ['upstream']])),
  },
  pull: { force: ['output'] },
  replay: {
    'allow-writes': ['against'],
    timeout: ['against'],
    ca: ['against'],
    requests: ['as'],
    port: ['until'],
    host: ['until'],
    open: ['until'],
  },
  mcp: { token: ['url'] },
}

/** Flags that have no effect without one of others. */
const REQUIRED_ONE: Table = {
  serve: { watch: ['fixtures', 'document', 'service'] },
}

/** Flags that contradict another one, or have no effect with it. */
const EXCLUDED: Table = {
  mcp: { url: STARTED_MOCK_FLAGS },
  pull: {
    har: ['reproduction', 'limit', 'header', 'timeout', 'ca'],
    reproduction: ['limit', 'header', 'timeout', 'ca'],
  },
  replay: {
    against: ['until', 'with-delays', 'fixtures'],
    as: ['fixtures', 'until', 'with-delays', 'format', 'allow-writes', 'header', 'timeout', 'ca'],
    until: ['format'],
  },
}

/** Rejects flags that do not go together. `sources` has the flag or environment variable of each setting. */
function checkCombinations(
  command: CommandName,
  settings: Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, string>>,
): void {
  const toSetting = (flag: string): string => settingOf(flag, flagsOf(command)[flag])
  /** The flag or variable, if it is set. A switch can be set to false. */
  const find = (flag: string): string | undefined =>
    settings[toSetting(flag)] === false ? undefined : sources[toSetting(flag)]
  /** A variable that other commands read, too, may be meant for them, and is ignored. */
  const findOwn = (flag: string): string | undefined => {
    const source = find(flag)
    return source?.startsWith('-') || !isShared(flag) ? source : undefined
  }

  for (const [flag, required] of Object.entries(REQUIRED[command] ?? {})) {
    const source = findOwn(flag)
    const missing = source && required.find((other) => !find(other))
    if (missing) throw new UsageError(`${source} requires --${missing}.`)
  }
  for (const [flag, choices] of Object.entries(REQUIRED_ONE[command] ?? {})) {
    const source = findOwn(flag)
    if (!source || choices.some(find)) continue
    const names = choices.map((name) => `--${name}`)
    throw new UsageError(`${source} requires ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`)
  }
  for (const [flag, excluded] of Object.entries(EXCLUDED[command] ?? {})) {
    const other = find(flag) && excluded.map(findOwn).find((source) => source !== undefined)
    if (other) throw new UsageError(`${other} cannot be combined with ${find(flag)}.`)
  }
  const [readOnly, allowWrites] = command === 'verify' ? [find('read-only'), find('allow-writes')] : []
  if (readOnly && allowWrites) throw new UsageError(`${readOnly} and ${allowWrites} contradict each other.`)
}

function isShared(flag: string): boolean {
  return COMMAND_NAMES.filter((command) => Object.hasOwn(flagsOf(command), flag)).length > 1
}

export type Command =
  | { [Name in CommandName]: CommandCall<Name> }[CommandName]
  | { readonly name: 'help'; readonly of?: CommandName }
  | { readonly name: 'version' }

interface CommandCall<Name extends CommandName> {
  readonly name: Name
  /** Empty for a command that takes no argument. */
  readonly argument: string
  readonly settings: Settings[Name]
  /** The flag or environment variable that each setting was read from, for error messages. */
  readonly sources: Readonly<Record<string, string>>
}

/** The built-in service has a flag for each. */
const BUILT_IN_SIZES = Object.keys(builtInService.defaultSizes)

const DEFAULT_SETTINGS: Settings = {
  serve: { quiet: false, logFormat: 'pretty' },
  generate: { format: 'json' },
  init: {},
  verify: { format: 'text', headers: [], timeout: 10_000 },
  pull: { headers: [], timeout: 10_000 },
  replay: { format: 'text', headers: [], timeout: 10_000 },
  mcp: { quiet: true, logFormat: 'pretty' },
  inspect: { format: 'text' },
  compile: {},
  spec: { format: 'yaml' },
}

interface GivenFlag {
  readonly name: string
  /** As typed: `-p` or `--port`. */
  readonly rawName: string
  /** The index of its argument. */
  readonly index: number
  readonly value?: string | undefined
  /** The value was given as in `--port=0`. */
  readonly inlineValue?: boolean | undefined
}

/** Reads the arguments, and the environment for the flags that are not given. */
export function parseCommand(args: readonly string[], env: NodeJS.ProcessEnv): Command {
  const flagOptions = Object.entries(ALL_FLAGS).map(([name, { value, short }]) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
  ])
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(flagOptions),
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
    strict: false,
    tokens: true,
  })
  const given = tokens.filter((token) => token.kind === 'option')
  const words = tokens.filter((token) => token.kind === 'positional').map(({ value }) => value)
  if (given.some(({ name }) => name === 'help')) return toHelp(words[0])
  if (given.some(({ name }) => name === 'version')) return { name: 'version' }
  if (words[0] === 'help') return toHelp(words[1])
  rejectUnknownFlags(given, args, words.find(isCommandName) ?? 'serve')
  return toCommand(words, given, env)
}

function toHelp(command: string | undefined): Command {
  return isCommandName(command) ? { name: 'help', of: command } : { name: 'help' }
}

function rejectUnknownFlags(given: readonly GivenFlag[], args: readonly string[], command: CommandName): void {
  const known = [...Object.keys(flagsOf(command)), 'help', 'version']
  const suggest = (name: string): string => didYouMean(name, known, (flag) => `--${flag}`)
  for (const { name, rawName, index } of given) {
    // The parser reads `-port` as `-p ort`.
    const [, long] = /^-([a-z][a-z-]+)(?:=|$)/i.exec(args[index] ?? '') ?? []
    const suggestion = long === undefined ? '' : suggest(long)
    if (suggestion !== '') throw new UsageError(`Unknown flag -${long}.${suggestion}`)
    if (!Object.hasOwn(ALL_FLAGS, name)) throw new UsageError(`Unknown flag ${shorten(rawName)}.${suggest(name)}`)
  }
}

function toCommand([name = 'serve', ...words]: string[], given: GivenFlag[], env: NodeJS.ProcessEnv): Command {
  if (!isCommandName(name)) throw new UsageError(`Unknown command ${quote(name)}.${suggestCommand(name)}`)
  const [description, example] = ARGUMENTS[name] ?? []
  const excess = words.slice(description === undefined ? 0 : 1)
  if (excess.length > 0) throw new UsageError(`Unexpected argument ${quote(excess.join(' '))}.`)
  const foreign = given.find((each) => !Object.hasOwn(flagsOf(name), each.name))
  if (foreign) throw new UsageError(`${name} does not accept ${foreign.rawName}.`)

  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS[name] }
  const sources: Record<string, string> = {}
  for (const [flagName, flag] of Object.entries(flagsOf(name))) {
    const uses = given.filter((each) => each.name === flagName)
    const [source, values] = uses.length > 0 ? readFlag(flag, uses) : readVariable(flag, variableOf(flagName), env)
    if (values.length === 0) continue
    settings[settingOf(flagName, flag)] = flag.separator === undefined ? values[0] : combine(flag, values)
    sources[settingOf(flagName, flag)] = source
  }
  if (['document', 'documents', 'service', 'services'].some((setting) => setting in settings)) {
    // Those that variables give are not meant for another service.
    for (const setting of BUILT_IN_SIZES) if (!sources[setting]?.startsWith('-')) delete settings[setting]
  }
  const [word = ''] = words
  // An empty argument comes from a shell variable that is not set.
  if (description !== undefined && word === '' && (settings.har ?? settings.reproduction) === undefined) {
    throw new UsageError(`${name} requires ${description}, for example: petstore-mock ${name} ${example}.`)
  }
  checkCombinations(name, settings, sources)
  const isUrl = name === 'verify' || (name === 'pull' && words.length > 0)
  const argument = isUrl ? BASE_URL.read(word, 'The base URL') : word
  return { name, argument, settings, sources } as Command
}

const combine = ({ combine: make }: Flag, values: unknown[]): unknown => make?.(values as never[]) ?? values

/** A word that is not a command is often the value of a flag. */
function suggestCommand(word: string): string {
  if (/^\d{1,5}$/.test(word)) return ` Did you mean --port ${word}?`
  if (isScenarioName(word)) return ` Did you mean --scenario ${word}?`
  if (/\.(?:json|ya?ml)$/i.test(word)) return ` Did you mean --fixtures ${shorten(word)}?`
  if (/^https?:/i.test(word)) return ` Did you mean verify ${shorten(word)}?`
  return word === 'version' ? ' Did you mean --version?' : didYouMean(word, COMMAND_NAMES)
}

function shorten(text: string): string {
  return quote(text).slice(1, -1)
}

function readFlag(flag: Flag, uses: readonly GivenFlag[]): [source: string, values: unknown[]] {
  const [{ rawName } = { rawName: '' }] = uses
  if (uses.length > 1 && flag.separator === undefined) throw new UsageError(`${rawName} is given more than once.`)
  const values = uses.map(({ value, inlineValue }) => {
    if (flag.value === undefined) {
      if (value !== undefined) throw new UsageError(`${rawName} does not accept a value.`)
      return true
    }
    // The next flag is not a value.
    if (value === undefined || value === '' || (value.startsWith('--') && !inlineValue)) {
      throw new UsageError(`${rawName} requires a value: ${rawName} <${flag.value}>.`)
    }
    return flag.read(value, rawName)
  })
  return [rawName, values]
}

function readVariable(flag: Flag, name: string, env: NodeJS.ProcessEnv): [source: string, values: unknown[]] {
  const value = env[name]
  if (value === '' && flag.isSecret) throw new UsageError(`${name} is empty. Set it to a value or unset it.`)
  if (value === undefined || value === '' || isServiceLink(name, value)) return [name, []]
  // The last line of a block in YAML ends with a separator, too.
  const parts =
    flag.separator === undefined
      ? [value]
      : value
          .split(flag.separator)
          .map((part) => part.trim())
          .filter(Boolean)
  return [name, parts.map((part) => flag.read(part, name))]
}

/** Kubernetes sets PETSTORE_PORT to tcp://10.0.0.1:80 in every container beside a service with the name petstore. */
function isServiceLink(name: string, value: string): boolean {
  return name === variableOf('port') && value.startsWith('tcp://')
}

/**
 * A warning for each environment variable that is nearly one of ours. Other variables with our prefix are ignored,
 * because the application under test may have its own, such as PETSTORE_URL. Values are never shown.
 */
export function findMisspelledVariables(env: NodeJS.ProcessEnv): string[] {
  const prefix = variableOf('')
  const flags = Object.keys(ALL_FLAGS)
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith(prefix) || [...flags.map(variableOf), PASSPHRASE_VARIABLE].includes(name)) return []
    const nearest = findNearest(name.slice(prefix.length), flags)
    if (nearest === undefined) return []
    return [`Unknown environment variable ${name}. Did you mean ${variableOf(nearest)}?`]
  })
}
