import { SNIPPET_KINDS } from '../snippets/index.js'
import { DATA_FLAGS, SERVICE_FLAGS } from './data-flags.js'
import type { Flags } from './flag.js'
import { BASE_URL, choice, HEADER, RANGE, SWITCH, TOKEN, text, VERIFIED_HEADER, wholeNumber } from './flag-values.js'
import { LIMIT_FLAGS, MORE_SERVE_FLAGS, SERVE_FLAGS } from './serve-flags.js'
import type { CommandName } from './settings.js'

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
