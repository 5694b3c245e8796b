import { DEFAULT_SERVER_LIMITS, SERVER_DEFAULTS, type ServerOptions } from '../adapters/server/options.js'
import { DEFAULT_LIMITS } from '../engine/limits.js'
import { wordsOf } from '../engine/resources/names.js'
import { SERVICE_DEFAULTS } from '../engine/service-options.js'
import { petstoreService as service } from '../petstore/service.js'
import type { OperationId, ResetOptions } from '../petstore/types.js'
import { SNIPPET_KINDS, type SnippetKind } from '../snippets/index.js'
import {
  BASE_URL,
  choice,
  DELAY,
  HEADER,
  HOST,
  OPERATION,
  RANGE,
  SWITCH,
  TOKEN,
  text,
  type ValueType,
  VERIFIED_HEADER,
  wholeNumber,
} from './flag-values.js'

export interface ServeSettings extends Omit<ServerOptions, 'fixtures'> {
  /** The path of the fixture file. */
  fixtures?: string
  watch?: boolean
  coverage?: boolean
  /** The path of the reproduction file to write. */
  record?: string
  force?: boolean
  open?: boolean
  quiet: boolean
  logFormat: 'pretty' | 'json'
}

export type DataSettings = Omit<ResetOptions, 'fixtures'>

export interface GenerateSettings extends DataSettings {
  format: 'json' | 'yaml'
}

export interface VerifySettings {
  readOnly?: boolean
  allowWrites?: boolean
  format: 'text' | 'json' | 'junit'
  /** Only these are checked. Default: all. */
  operations?: readonly OperationId[]
  /** Headers that are not compared, as in VERIFIED_HEADERS. */
  ignoredHeaders?: readonly string[]
  headers: readonly (readonly [name: string, value: string])[]
  /** In milliseconds, for each request. */
  timeout: number
  /** The path of a certificate to trust, besides those that Node trusts. */
  ca?: string
}

export interface PullSettings extends Pick<VerifySettings, 'headers' | 'timeout' | 'ca'> {
  /** The path of a file with recorded traffic, which is read instead of the service. */
  har?: string
  /** The path of the fixture file to write. */
  output?: string
  force?: boolean
  /** The maximum number of records of each kind. */
  limit?: number
}

export interface ReplaySettings
  extends Pick<VerifySettings, 'format' | 'headers' | 'timeout' | 'ca' | 'allowWrites'>,
    Pick<ServeSettings, 'port' | 'host' | 'open'> {
  /** The base URL of a service, which receives the requests instead of a mock in memory. */
  against?: string
  /** Serves from before the request with this number. */
  until?: number
  withDelays?: boolean
  /** Prints the requests as code, and repeats nothing. */
  as?: SnippetKind
  /** The numbers of the first and the last request to print. */
  requests?: readonly [first: number, last: number]
}

export interface SpecSettings {
  format: 'yaml' | 'json'
}

export interface Settings {
  serve: ServeSettings
  generate: GenerateSettings
  init: object
  verify: VerifySettings
  pull: PullSettings
  replay: ReplaySettings
  spec: SpecSettings
}

export type CommandName = keyof Settings

export interface Flag extends ValueType {
  /** The setting, if it is not the name of the flag in camel case. */
  readonly setting?: string
  readonly short?: string
  /** Separates several values in the environment variable. Without a separator, the flag can be given only once. */
  readonly separator?: ',' | '\n'
  /** An empty environment variable is an error instead of being ignored. */
  readonly isSecret?: true
  readonly help: string
}

export type Flags = Readonly<Record<string, Flag>>

const COUNT = wholeNumber(0)

/** Not a flag, because other users of the machine can see the arguments of a process. */
export const PASSPHRASE_VARIABLE = 'PETSTORE_HTTPS_PASSPHRASE'

const DATA_FLAGS: Flags = {
  seed: { ...COUNT, help: `Seed of the generated data (default: ${SERVICE_DEFAULTS.seed})` },
  scenario: { ...text('name'), help: `Starting data, see below (default: ${SERVICE_DEFAULTS.scenario})` },
  ...sizeFlags(),
}

function sizeFlags(): Flags {
  const flags = Object.entries(service.defaultSizes).map(([name, size]): [string, Flag] => [
    toKebabCase(name),
    { ...COUNT, help: `Number of ${wordsOf(name).join(' ')} (default: ${size})` },
  ])
  return Object.fromEntries(flags)
}

/** The flags of `serve` that most users need. */
export const SERVE_FLAGS: Flags = {
  port: { ...wholeNumber(0, 65_535), short: 'p', help: `Port; 0 picks a free one (default: ${SERVER_DEFAULTS.port})` },
  host: { ...HOST, help: `Address to listen on (default: ${SERVER_DEFAULTS.host})` },
  ...DATA_FLAGS,
  fixtures: { ...text('file'), help: 'Your own starting data (JSON or YAML), merged over any --scenario' },
  watch: { ...SWITCH, help: 'Reload the --fixtures file when it changes' },
  rules: { ...choice('on', 'off'), help: `Enforce the rules of the store (default: ${SERVICE_DEFAULTS.rules})` },
  sunset: {
    ...choice('announce', 'enforce'),
    help: `After a sunset date, "enforce" returns 410 (default: ${SERVICE_DEFAULTS.sunset})`,
  },
  strict: { ...SWITCH, help: 'Reject query parameters not declared in the OpenAPI document' },
  delay: { ...DELAY, help: `Delay of every response (default: ${SERVICE_DEFAULTS.delay})` },
  cors: {
    ...text('origin'),
    separator: ',',
    help: 'Allow this origin to read the API, besides loopback (repeatable)',
  },
  'allow-host': { ...text('name'), separator: ',', help: 'Accept this host name, besides loopback (repeatable)' },
  https: { ...SWITCH, help: 'Answer HTTPS on the same port, with HTTP/1.1 and HTTP/2' },
  open: { ...SWITCH, help: 'Open the dashboard in a browser' },
  quiet: { ...SWITCH, help: 'Print only the ready message and errors' },
  'log-format': { ...choice('pretty', 'json'), help: 'Output format (default: pretty)' },
}

/** The flags of `serve` that only its own help shows. */
export const MORE_SERVE_FLAGS: Flags = {
  'admin-token': { ...TOKEN, isSecret: true, help: 'Token for /__admin (default: none on loopback, else random)' },
  record: { ...text('file'), help: 'On exit, write a reproduction of all requests to this file' },
  force: { ...SWITCH, help: 'Replace the --record file if it exists' },
  coverage: { ...SWITCH, help: 'On exit, print which operations were used' },
  'require-sandbox': { ...SWITCH, help: 'Reject API requests that name no sandbox' },
  'https-cert': { ...text('file'), help: 'Certificate for --https (PEM), as mkcert writes it (default: one is made)' },
  'https-key': {
    ...text('file'),
    help: `Key of --https-cert (PEM); its passphrase is read from ${PASSPHRASE_VARIABLE}`,
  },
  'https-client-ca': { ...text('file'), help: 'Require client certificates signed by this one (PEM)' },
  'cors-credentials': { ...SWITCH, help: 'Let pages of the --cors origins send credentials, such as cookies' },
}

const LIMITS = { ...DEFAULT_LIMITS, ...DEFAULT_SERVER_LIMITS }

const LIMIT_HELP: Readonly<Record<keyof typeof LIMITS, string>> = {
  maxBodyBytes: 'Maximum size of a request body',
  maxJsonDepth: 'Maximum depth of a request body',
  maxJsonValues: 'Maximum number of values in a request body',
  maxStateBytes: 'Maximum size of an imported state',
  maxUrlLength: 'Maximum length of path and query',
  maxQueryParameters: 'Maximum number of query parameters',
  journalSize: 'Maximum number of recorded requests',
  journalBytes: 'Maximum size of the recorded requests, approximately',
  maxSandboxes: 'Maximum number of sandboxes',
  sandboxIdleMs: 'Idle time before a sandbox is removed',
  maxHeaderBytes: 'Maximum size of URL and headers',
  maxHeaders: 'Maximum number of headers',
  headersTimeoutMs: 'Timeout for receiving the headers',
  requestTimeoutMs: 'Timeout for receiving the whole request',
  idleTimeoutMs: 'Timeout of an idle connection',
  maxConnections: 'Maximum number of connections',
}

export const LIMIT_FLAGS: Flags = Object.fromEntries(
  Object.entries(LIMITS).map(([setting, value]) => [
    toKebabCase(setting),
    { ...COUNT, help: `${LIMIT_HELP[setting as keyof typeof LIMITS]} (default: ${value})` },
  ]),
)

/** How a running service is reached. */
const CONNECTION_FLAGS: Flags = {
  // Header values contain commas.
  header: {
    ...HEADER,
    setting: 'headers',
    separator: '\n',
    help: 'Send this header with every request (repeatable)',
  },
  timeout: { ...wholeNumber(1, 600_000, 'ms'), help: 'Timeout of each request (default: 10000)' },
  ca: { ...text('file'), help: 'Also trust certificates signed by this one (PEM)' },
}

const REPORT_FLAGS: Flags = {
  format: { ...choice('text', 'json', 'junit'), help: 'Output format (default: text)' },
}

const FLAGS: Readonly<Record<CommandName, Flags>> = {
  serve: { ...SERVE_FLAGS, ...MORE_SERVE_FLAGS, ...LIMIT_FLAGS },
  generate: { ...DATA_FLAGS, format: { ...choice('json', 'yaml'), help: 'Output format (default: json)' } },
  init: {},
  verify: {
    'allow-writes': { ...SWITCH, help: 'Run the checks that write, which change and delete only what they created' },
    operation: {
      ...OPERATION,
      setting: 'operations',
      separator: ',',
      help: 'Check only this operation (repeatable; default: all)',
    },
    'ignore-header': {
      ...VERIFIED_HEADER,
      setting: 'ignoredHeaders',
      separator: ',',
      help: 'Do not compare this header, such as X-Stability (repeatable)',
    },
    'read-only': { ...SWITCH, help: 'Send only GET, HEAD and OPTIONS (default, except for a mock on this machine)' },
    ...REPORT_FLAGS,
    ...CONNECTION_FLAGS,
  },
  pull: {
    output: {
      ...text('file'),
      short: 'o',
      help: 'Write to this file, as JSON or YAML by its name (default: print JSON)',
    },
    force: { ...SWITCH, help: 'Replace the --output file if it exists' },
    limit: { ...wholeNumber(1), help: 'Maximum number of records of each kind (default: all)' },
    har: { ...text('file'), help: 'Read recorded traffic (HAR) instead of the service' },
    ...CONNECTION_FLAGS,
  },
  replay: {
    until: { ...wholeNumber(1), help: 'Repeat what came before this request, then serve from there' },
    'with-delays': { ...SWITCH, help: 'Wait as long as the recorded delays (default: do not wait)' },
    against: { ...BASE_URL, help: 'Send the requests to this service, only those that read' },
    'allow-writes': { ...SWITCH, help: 'With --against: also send requests that change data' },
    as: { ...choice(...SNIPPET_KINDS), help: 'Print the requests as code instead of repeating them' },
    requests: { ...RANGE, help: 'With --as: print only these requests (default: all)' },
    ...REPORT_FLAGS,
    ...CONNECTION_FLAGS,
    ...pick(SERVE_FLAGS, 'port', 'host', 'open'),
  },
  spec: { format: { ...choice('yaml', 'json'), help: 'Output format (default: yaml)' } },
}

export const ALL_FLAGS: Flags = Object.assign({}, ...Object.values(FLAGS))

export const COMMAND_NAMES = Object.keys(FLAGS) as readonly CommandName[]

/** The argument that a command requires, if any, and an example of it. */
export const ARGUMENTS: Partial<Record<CommandName, readonly [description: string, example: string]>> = {
  init: ['the folder that your web server serves', 'public'],
  verify: ['the base URL of a running service', 'http://127.0.0.1:4010'],
  replay: ['a reproduction file', 'checkout.petstore.json'],
  pull: ['the base URL of a running service, or --har <file>', 'http://127.0.0.1:4010'],
}

function pick(flags: Flags, ...names: string[]): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => names.includes(name)))
}

export function isCommandName(word: string | undefined): word is CommandName {
  return COMMAND_NAMES.includes(word as CommandName)
}

export function flagsOf(command: CommandName): Flags {
  return FLAGS[command]
}

/** `log-format` for `logFormat`. */
export function toKebabCase(setting: string): string {
  return setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The setting of `--log-format` is `logFormat`. */
export function settingOf(name: string, { setting }: Flag): string {
  return setting ?? name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The environment variable of `--log-format` is PETSTORE_LOG_FORMAT. */
export function variableOf(flag: string): string {
  return `PETSTORE_${flag.toUpperCase().replaceAll('-', '_')}`
}
