import { quote } from '../contract/errors.js'
import { DEFAULTS } from '../options.js'
import { SERVER_DEFAULTS, type ServerOptions } from '../server/options.js'
import { UsageError } from './usage-error.js'

/** What `serve` is asked to do: the server's options, and how it speaks. */
export interface ServeSettings extends Omit<ServerOptions, 'fixtures'> {
  /** The file that holds them. */
  fixtures?: string
  watch?: boolean
  quiet: boolean
  logFormat: 'pretty' | 'json'
}

/** What `generate` is asked for: which world. */
export type GenerateSettings = Pick<ServeSettings, 'seed' | 'scenario' | 'categories' | 'pets' | 'orders'>

export type CommandName = 'serve' | 'generate' | 'init'

export interface Flag {
  readonly setting: keyof ServeSettings
  readonly short?: string
  /** What stands for the value in the help; a flag without one is a switch. */
  readonly value?: string
  /** May be given several times; in the environment the values are separated by commas. */
  readonly repeatable?: true
  /** Says which world it is to be, so that `generate` takes it as well. */
  readonly ofWorld?: true
  readonly help: string
  read(text: string): unknown
}

const text = (value: string): string => value

/** A whole number in plain digits; what range it must be in is the option's own affair. */
function count(value: string): number {
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(value)) throw new UsageError(`must be a whole number, but is ${quote(value)}`)
  return Number(value)
}

function port(value: string): number {
  const number = /^[0-9]{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(number <= 65535)) throw new UsageError(`must be a whole number from 0 to 65535, but is ${quote(value)}`)
  return number
}

function choice(...choices: string[]): (value: string) => string {
  return (value) => {
    if (!choices.includes(value)) throw new UsageError(`must be ${choices.join(' or ')}, but is ${quote(value)}`)
    return value
  }
}

function onOrOff(value: string): boolean {
  return choice('true', 'false')(value) === 'true'
}

/** Every flag of `serve`; those of `generate` are some of them. The environment variable of `--log-format` is PETSTORE_LOG_FORMAT, and so for all. */
export const FLAGS: Readonly<Record<string, Flag>> = {
  port: {
    setting: 'port',
    short: 'p',
    value: 'number',
    help: `where to listen, 0 for any free port (default ${SERVER_DEFAULTS.port})`,
    read: port,
  },
  host: { setting: 'host', value: 'address', help: `address to bind (default ${SERVER_DEFAULTS.host})`, read: text },
  seed: {
    setting: 'seed',
    value: 'number',
    ofWorld: true,
    help: `same seed, same world (default ${DEFAULTS.seed})`,
    read: count,
  },
  scenario: {
    setting: 'scenario',
    value: 'name',
    ofWorld: true,
    help: `world to start in, see below (default ${DEFAULTS.scenario})`,
    read: text,
  },
  categories: {
    setting: 'categories',
    value: 'number',
    ofWorld: true,
    help: "how many to generate (default the scenario's)",
    read: count,
  },
  pets: {
    setting: 'pets',
    value: 'number',
    ofWorld: true,
    help: "how many to generate (default the scenario's)",
    read: count,
  },
  orders: {
    setting: 'orders',
    value: 'number',
    ofWorld: true,
    help: 'how many to generate (default as many to a pet as the scenario has)',
    read: count,
  },
  fixtures: {
    setting: 'fixtures',
    value: 'file',
    help: 'world of your own, .json or .yaml; laid over --scenario where that is given',
    read: text,
  },
  watch: { setting: 'watch', help: 'load the --fixtures file again whenever it changes', read: onOrOff },
  rules: {
    setting: 'rules',
    value: 'on|off',
    help: `off stores whatever it is given (default ${DEFAULTS.rules})`,
    read: choice('on', 'off'),
  },
  sunset: {
    setting: 'sunset',
    value: 'announce|enforce',
    help: `enforce answers 410 past the sunset date (default ${DEFAULTS.sunset})`,
    read: choice('announce', 'enforce'),
  },
  strict: { setting: 'strict', help: 'refuse query parameters the document does not declare', read: onOrOff },
  'max-body-bytes': {
    setting: 'maxBodyBytes',
    value: 'number',
    help: `largest request body taken (default ${DEFAULTS.maxBodyBytes})`,
    read: count,
  },
  'journal-size': {
    setting: 'journalSize',
    value: 'number',
    help: `how many requests the journal keeps (default ${DEFAULTS.journalSize})`,
    read: count,
  },
  cors: {
    setting: 'cors',
    value: 'origin',
    repeatable: true,
    help: 'let pages of this origin read the API; loopback ones always may',
    read: text,
  },
  'allow-host': {
    setting: 'allowHost',
    value: 'name',
    repeatable: true,
    help: 'answer for this host name too; loopback is always answered for',
    read: text,
  },
  'admin-token': {
    setting: 'adminToken',
    value: 'token',
    help: 'what the control plane asks for (default none on loopback)',
    read: text,
  },
  quiet: { setting: 'quiet', help: 'print only the ready line and errors', read: onOrOff },
  'log-format': {
    setting: 'logFormat',
    value: 'pretty|json',
    help: 'how to print (default pretty)',
    read: choice('pretty', 'json'),
  },
}

/** The flags that a command takes. */
export function flagsOf(command: CommandName): Readonly<Record<string, Flag>> {
  if (command === 'serve') return FLAGS
  if (command === 'init') return {}
  return Object.fromEntries(Object.entries(FLAGS).filter(([, { ofWorld }]) => ofWorld))
}

export function variableOf(flag: string): string {
  return `PETSTORE_${flag.toUpperCase().replaceAll('-', '_')}`
}
