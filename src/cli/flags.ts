import { DEFAULT_SERVER_LIMITS, SERVER_DEFAULTS, type ServerOptions } from '../adapters/server/options.js'
import { DEFAULT_LIMITS } from '../engine/limits.js'
import { DEFAULTS } from '../petstore/options.js'
import { choice, count, header, host, onOrOff, port, span, text, timeout, token } from './flag-values.js'

/** What `serve` is asked to do: the server's options, and how it speaks. */
export interface ServeSettings extends Omit<ServerOptions, 'fixtures'> {
  /** The file that holds them. */
  fixtures?: string
  watch?: boolean
  /** Prints what of the document was exercised when it ends. */
  coverage?: boolean
  /** Opens the dashboard in the system's browser. */
  open?: boolean
  quiet: boolean
  logFormat: 'pretty' | 'json'
}

/** What `generate` is asked for: which world. */
export type GenerateSettings = Pick<ServeSettings, 'seed' | 'scenario' | 'categories' | 'pets' | 'orders'>

/** How `verify` asks a service, and how it tells. */
export interface VerifySettings {
  readOnly: boolean
  format: 'text' | 'json' | 'junit'
  headers: readonly (readonly [name: string, value: string])[]
  /** In milliseconds, for each request. */
  timeout: number
}

export interface SpecSettings {
  format: 'yaml' | 'json'
}

export type CommandName = 'serve' | 'generate' | 'init' | 'verify' | 'spec'

export type Flags = Readonly<Record<string, Flag>>

export interface Flag {
  readonly setting: keyof ServeSettings | keyof VerifySettings | keyof SpecSettings
  readonly short?: string
  /** What stands for the value in the help; a flag without one is a switch. */
  readonly value?: string
  /** May be given several times; in the environment the values are separated by this, or else by commas. */
  readonly repeatable?: true
  readonly separator?: string
  /** Says which world it is to be, so that `generate` takes it as well. */
  readonly ofWorld?: true
  /** Set to nothing by mistake it would be as if nobody had wanted one. */
  readonly isSecret?: true
  readonly help: string
  read(text: string): unknown
}

/** What bounds requests, connections, and what is kept of them: `--max-body-bytes` for `maxBodyBytes`, and so for all. */
export const LIMIT_FLAGS: Flags = Object.fromEntries(
  Object.entries({ ...DEFAULT_LIMITS, ...DEFAULT_SERVER_LIMITS }).map(([setting, usual]) => [
    setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    { setting: setting as keyof ServeSettings, value: 'number', help: String(usual), read: count },
  ]),
)

/** The flags of `serve` but for the limits; those of `generate` are some of them. */
export const SERVE_FLAGS: Flags = {
  port: {
    setting: 'port',
    short: 'p',
    value: 'number',
    help: `where to listen, 0 for any free port (default ${SERVER_DEFAULTS.port})`,
    read: port,
  },
  host: { setting: 'host', value: 'address', help: `address to bind (default ${SERVER_DEFAULTS.host})`, read: host },
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
    help: 'how many to generate (default in step with the pets)',
    read: count,
  },
  fixtures: {
    setting: 'fixtures',
    value: 'file',
    help: 'world of your own, .json or .yaml; laid over --scenario if given',
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
  delay: {
    setting: 'delay',
    value: 'ms|min-max',
    help: `how long every answer takes (default ${DEFAULTS.delay})`,
    read: span,
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
    isSecret: true,
    help: 'what the control plane asks for (default none on loopback)',
    read: token,
  },
  coverage: { setting: 'coverage', help: 'print what of the document was exercised when it ends', read: onOrOff },
  open: { setting: 'open', help: 'open the dashboard in a browser', read: onOrOff },
  quiet: { setting: 'quiet', help: 'print only the ready line and errors', read: onOrOff },
  'log-format': {
    setting: 'logFormat',
    value: 'pretty|json',
    help: 'how to print (default pretty)',
    read: choice('pretty', 'json'),
  },
}

const VERIFY_FLAGS: Flags = {
  'read-only': {
    setting: 'readOnly',
    help: 'send only GET, HEAD and OPTIONS, and skip the checks that need more',
    read: onOrOff,
  },
  format: {
    setting: 'format',
    value: 'text|json|junit',
    help: 'how to print (default text)',
    read: choice('text', 'json', 'junit'),
  },
  header: {
    setting: 'headers',
    value: 'Name: value',
    repeatable: true,
    // Values of headers have commas of their own.
    separator: '\n',
    help: 'send this with every request; may be given several times',
    read: header,
  },
  timeout: { setting: 'timeout', value: 'ms', help: 'how long to wait for an answer (default 10000)', read: timeout },
}

const SPEC_FLAGS: Flags = {
  format: {
    setting: 'format',
    value: 'yaml|json',
    help: 'how to print it (default yaml)',
    read: choice('yaml', 'json'),
  },
}

/** The flags that each command takes. */
const FLAGS_OF: Readonly<Record<CommandName, Flags>> = {
  serve: { ...SERVE_FLAGS, ...LIMIT_FLAGS },
  generate: Object.fromEntries(Object.entries(SERVE_FLAGS).filter(([, { ofWorld }]) => ofWorld)),
  init: {},
  verify: VERIFY_FLAGS,
  spec: SPEC_FLAGS,
}

/** All flags of all commands; which of two that share a name does not matter to who asks. */
export const EVERY_FLAG: Flags = Object.assign({}, ...Object.values(FLAGS_OF))

/** The arguments that commands need, each with an example. */
const ARGUMENTS: Partial<Record<CommandName, readonly [what: string, example: string]>> = {
  init: ['the folder that your web server serves files from', 'public'],
  verify: ['the address of a running service', 'http://127.0.0.1:4010'],
}

export const COMMAND_NAMES = Object.keys(FLAGS_OF) as readonly CommandName[]

export function isCommandName(command: string): command is CommandName {
  return Object.hasOwn(FLAGS_OF, command)
}

/** The flags that a command takes. */
export function flagsOf(command: CommandName): Flags {
  return FLAGS_OF[command]
}

/** What a command's argument is, and an example of it; undefined where it takes none. */
export function argumentOf(command: CommandName): readonly [what: string, example: string] | undefined {
  return ARGUMENTS[command]
}

/** The flag that sets an option of the library. */
export function flagFor(setting: string): string | undefined {
  return Object.entries(EVERY_FLAG).find(([, flag]) => flag.setting === setting)?.[0]
}

/** The environment variable of `--log-format` is PETSTORE_LOG_FORMAT, and so for all. */
export function variableOf(flag: string): string {
  return `PETSTORE_${flag.toUpperCase().replaceAll('-', '_')}`
}
