import { SERVER_OPTIONS, type ServerLimits } from '../adapters/server/options.js'
import { FORBIDDABLE } from '../document/contract/operation.js'
import { wordsOf } from '../document/resources/names.js'
import { SERVICE_OPTIONS } from '../engine/mock/service-options.js'
import type { Limits } from '../http/limits.js'
import { petstoreService as service } from '../petstore/service.js'
import { SNIPPET_KINDS } from '../tools/snippets/index.js'
import {
  BASE_URL,
  COUNT,
  choice,
  DELAY,
  HEADER,
  HOST,
  NAMED_FILE,
  nameOf,
  RANGE,
  SIZE,
  SWITCH,
  TOKEN,
  text,
  type ValueType,
  VERIFIED_HEADER,
  wholeNumber,
} from './flag-values.js'
import type { CommandName } from './settings.js'

export interface Flag extends ValueType {
  /** The setting, if it is not the name of the flag in camel case. */
  readonly setting?: string
  readonly short?: string
  /** Separates several values in the environment variable. Without a separator, the flag can be given only once. */
  readonly separator?: ',' | '\n'
  /** Makes one value of all those of a repeatable flag. Default: a list of them. */
  readonly combine?: (values: readonly never[]) => unknown
  /** An empty environment variable is an error instead of being ignored. */
  readonly isSecret?: true
  readonly help: string
}

export type Flags = Readonly<Record<string, Flag>>

/** `log-format` for `logFormat`. */
export function toKebabCase(setting: string): string {
  return setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The setting of `--log-format` is `logFormat`. */
export function settingOf(name: string, { setting }: Partial<Flag> = {}): string {
  return setting ?? name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The environment variable of `--log-format` is PETSTORE_LOG_FORMAT. */
export function variableOf(flag: string): string {
  return `PETSTORE_${flag.toUpperCase().replaceAll('-', '_')}`
}

const OPTIONS = { ...SERVICE_OPTIONS, ...SERVER_OPTIONS }

/** The flag of an option: its values and default are those of the option. A number too large is rejected where it is used. */
function optionFlag(option: keyof typeof OPTIONS, help: string): Flag {
  const [value, , , kind] = OPTIONS[option]
  if (typeof value === 'boolean') return { ...SWITCH, help }
  return { ...(Array.isArray(kind) ? choice(...kind) : COUNT), help: `${help} (default: ${value})` }
}

/** What is mocked. */
const SERVICE_FLAGS: Flags = {
  document: { ...text('file'), help: 'The OpenAPI document of the service (JSON or YAML)' },
  service: { ...text('file'), help: 'The service file of the service, or its OpenAPI document' },
}

/** What is served: one service, or several with names. */
const SERVED_FLAGS: Flags = {
  document: { ...NAMED_FILE, setting: 'documents', separator: ',', help: 'Mock the service of this OpenAPI document' },
  service: {
    ...NAMED_FILE,
    setting: 'services',
    separator: ',',
    help: 'Mock this service file or document; with a name, one of several',
  },
}

const DATA_FLAGS: Flags = {
  seed: optionFlag('seed', 'Seed of the generated data'),
  scenario: { ...optionFlag('scenario', 'Starting data, see below'), ...text('name') },
  ...sizeFlags(),
  size: {
    ...SIZE,
    setting: 'sizes',
    separator: ',',
    combine: Object.fromEntries,
    help: 'Number of records, as in books=200 or all=0 (repeatable)',
  },
}

function sizeFlags(): Flags {
  const flags = Object.entries(service.defaultSizes).map(([name, size]): [string, Flag] => [
    toKebabCase(name),
    { ...COUNT, help: `Number of ${wordsOf(name).join(' ')} (default: ${size})` },
  ])
  return Object.fromEntries(flags)
}

/** Not a flag, because other users of the machine can see the arguments of a process. */
export const PASSPHRASE_VARIABLE = 'PETSTORE_HTTPS_PASSPHRASE'

/** The flags of `serve` that most users need. */
export const SERVE_FLAGS: Flags = {
  port: { ...optionFlag('port', 'Port; 0 picks a free one'), ...wholeNumber(0, 65_535), short: 'p' },
  host: { ...optionFlag('host', 'Address to listen on'), ...HOST },
  ...SERVED_FLAGS,
  ...DATA_FLAGS,
  fixtures: { ...text('file'), help: 'Your own starting data (JSON or YAML), merged over any --scenario' },
  watch: { ...SWITCH, help: 'Reload service, document and --fixtures when a file changes' },
  rules: optionFlag('rules', 'Enforce the rules of the store'),
  delay: { ...optionFlag('delay', 'Delay of every response'), ...DELAY },
  https: optionFlag('https', 'Answer HTTPS on the same port, with HTTP/1.1 and HTTP/2'),
  open: { ...SWITCH, help: 'Open the dashboard in a browser' },
  'log-format': { ...choice('pretty', 'json'), help: 'Output format (default: pretty)' },
}

/** Several values, separated by commas or given with several flags. */
const list = (value: string, { read }: Pick<ValueType, 'read'>): Omit<Flag, 'help'> => ({
  value,
  read: (given, name) => given.split(',').map((each) => read(each.trim(), name)),
  separator: ',',
  combine: (values) => values.flat(),
})

const OPERATIONS = list('operations', text('operation'))

/** For a mock in front of the real service. */
const UPSTREAM_FLAGS: Flags = {
  upstream: { ...BASE_URL, help: 'Stand in front of this service: see --pass' },
  pass: { ...OPERATIONS, help: 'Pass these operations through: an operationId, list*, GET (repeatable)' },
  mock: {
    ...OPERATIONS,
    help: 'The mock answers these; without --pass, pass all others (repeatable)',
  },
  'pass-unknown': optionFlag('passUnknown', 'Also pass through what the OpenAPI document does not know'),
  'upstream-ca': { ...text('file'), help: 'Also trust certificates of the service signed by this one (PEM)' },
  'upstream-strict': optionFlag('upstreamStrict', 'Exit with 1 if what was passed through broke the contract'),
  'upstream-fallback': optionFlag('upstreamFallback', 'Answer if the service cannot be reached, or returns 502 to 504'),
  'upstream-timeout-ms': optionFlag('upstreamTimeoutMs', 'Timeout of a response of the service'),
}

/** Flags that have no effect without an upstream. */
export const NEED_UPSTREAM = Object.keys(UPSTREAM_FLAGS).filter((flag) => flag !== 'upstream')

/** The flags of `serve` that only its own help shows. */
export const MORE_SERVE_FLAGS: Flags = {
  ...UPSTREAM_FLAGS,
  quiet: { ...SWITCH, help: 'Print only the ready message and errors' },
  sunset: optionFlag('sunset', 'After a sunset date, "enforce" returns 410'),
  strict: optionFlag('strict', 'Reject query parameters not declared in the OpenAPI document'),
  security: optionFlag('security', 'Whether to require the credentials of the OpenAPI document'),
  'fail-on': {
    ...list(
      'mark',
      nameOf('mark', () => FORBIDDABLE),
    ),
    help: 'Exit with 1 after a violation, or use of what is deprecated, beta … (repeatable)',
  },
  cors: {
    ...text('origin'),
    separator: ',',
    help: 'Allow this origin to read the API, besides loopback (repeatable)',
  },
  'allow-host': { ...text('name'), separator: ',', help: 'Accept this host name, besides loopback (repeatable)' },
  'admin-token': { ...TOKEN, isSecret: true, help: 'Token for /__admin (default: none on loopback, else random)' },
  record: { ...text('file'), help: 'On exit, write a reproduction of all requests to this file' },
  force: { ...SWITCH, help: 'Replace the --record file if it exists' },
  coverage: { ...SWITCH, help: 'On exit, print which operations were used' },
  'require-sandbox': optionFlag('requireSandbox', 'Reject API requests that name no sandbox'),
  'https-cert': { ...text('file'), help: 'Certificate for --https (PEM), as mkcert writes it (default: one is made)' },
  'https-key': {
    ...text('file'),
    help: `Key of --https-cert (PEM); its passphrase is read from ${PASSPHRASE_VARIABLE}`,
  },
  'https-client-ca': { ...text('file'), help: 'Require client certificates signed by this one (PEM)' },
  'cors-credentials': optionFlag(
    'corsCredentials',
    'Let pages of the --cors origins send credentials, such as cookies',
  ),
}

const LIMIT_HELP: Readonly<Record<keyof (Limits & ServerLimits), string>> = {
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
  Object.entries(LIMIT_HELP).map(([setting, help]) => [
    toKebabCase(setting),
    optionFlag(setting as keyof typeof LIMIT_HELP, help),
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

/** Flags of `serve` for the mock that `mcp` starts. */
export const STARTED_MOCK_FLAGS = [
  'port',
  'host',
  ...Object.keys(SERVICE_FLAGS),
  ...Object.keys(DATA_FLAGS),
  'fixtures',
  'rules',
  'delay',
  'sunset',
  'strict',
  'cors',
  'allow-host',
  'open',
]

const MCP_FLAGS: Flags = {
  ...pick({ ...SERVE_FLAGS, ...MORE_SERVE_FLAGS }, ...STARTED_MOCK_FLAGS),
  ...SERVICE_FLAGS,
  port: { ...wholeNumber(0, 65_535), short: 'p', help: 'Port of the mock (default: a free one)' },
  url: { ...BASE_URL, help: 'Use the mock that runs here, with a sandbox of its own' },
  token: { ...TOKEN, isSecret: true, help: 'With --url: the token of its admin API' },
}

const FLAGS: Readonly<Record<CommandName, Flags>> = {
  serve: { ...SERVE_FLAGS, ...MORE_SERVE_FLAGS, ...LIMIT_FLAGS },
  generate: {
    ...SERVICE_FLAGS,
    ...DATA_FLAGS,
    format: { ...choice('json', 'yaml'), help: 'Output format (default: json)' },
  },
  init: {},
  verify: {
    ...SERVICE_FLAGS,
    'allow-writes': { ...SWITCH, help: 'Run the checks that write, which change and delete only what they created' },
    operation: {
      ...text('operationId'),
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
    ...SERVICE_FLAGS,
    output: {
      ...text('file'),
      short: 'o',
      help: 'Write to this file, as JSON or YAML by its name (default: print JSON)',
    },
    force: { ...SWITCH, help: 'Replace the --output file if it exists' },
    limit: { ...wholeNumber(1), help: 'Maximum number of records of each kind (default: all)' },
    har: { ...text('file'), help: 'Read recorded traffic (HAR) instead of the service' },
    reproduction: { ...text('file'), help: 'Read what serve --upstream --record has passed through instead' },
    ...CONNECTION_FLAGS,
  },
  replay: {
    ...SERVICE_FLAGS,
    fixtures: { ...text('file'), help: 'Start with this data (JSON or YAML) instead of the recorded start' },
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
  mcp: MCP_FLAGS,
  inspect: {
    format: {
      ...choice('text', 'json', 'service'),
      help: 'Output format (default: text); service is a service file to start from',
    },
    explain: { ...text('operation'), help: 'Say which rule decided about an operation, and the line that changes it' },
  },
  compile: {
    output: {
      ...text('file'),
      short: 'o',
      help: 'Write to this module, of JavaScript or TypeScript (default: print it)',
    },
    force: { ...SWITCH, help: 'Replace the --output file if it exists' },
  },
  spec: { ...SERVICE_FLAGS, format: { ...choice('yaml', 'json'), help: 'Output format (default: yaml)' } },
}

export const ALL_FLAGS: Flags = Object.assign({}, ...Object.values(FLAGS))

export const COMMAND_NAMES = Object.keys(FLAGS) as readonly CommandName[]

/** The argument that a command requires, if any, and an example of it. */
export const ARGUMENTS: Partial<Record<CommandName, readonly [description: string, example: string]>> = {
  inspect: ['an OpenAPI document or a service file', 'openapi.yaml'],
  compile: ['an OpenAPI document or a service file', 'openapi.yaml -o openapi.compiled.js'],
  init: ['the folder that your web server serves', 'public'],
  verify: ['the base URL of a running service', 'http://127.0.0.1:4010'],
  replay: ['a reproduction file', 'checkout.petstore.json'],
  pull: ['the base URL of a running service, --har <file> or --reproduction <file>', 'http://127.0.0.1:4010'],
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
