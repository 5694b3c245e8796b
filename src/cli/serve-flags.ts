import { DEFAULT_SERVER_LIMITS, SERVER_DEFAULTS } from '../adapters/server/options.js'
import { UPSTREAM_DEFAULTS } from '../adapters/upstream/options.js'
import { DEFAULT_LIMITS } from '../engine/limits.js'
import { SERVICE_DEFAULTS } from '../engine/service-options.js'
import { DATA_FLAGS, SERVED_FLAGS } from './data-flags.js'
import { type Flag, type Flags, toKebabCase } from './flag.js'
import { BASE_URL, COUNT, choice, DELAY, HOST, SWITCH, TOKEN, text, wholeNumber } from './flag-values.js'

/** Not a flag, because other users of the machine can see the arguments of a process. */
export const PASSPHRASE_VARIABLE = 'PETSTORE_HTTPS_PASSPHRASE'

/** The flags of `serve` that most users need. */
export const SERVE_FLAGS: Flags = {
  port: { ...wholeNumber(0, 65_535), short: 'p', help: `Port; 0 picks a free one (default: ${SERVER_DEFAULTS.port})` },
  host: { ...HOST, help: `Address to listen on (default: ${SERVER_DEFAULTS.host})` },
  ...SERVED_FLAGS,
  ...DATA_FLAGS,
  fixtures: { ...text('file'), help: 'Your own starting data (JSON or YAML), merged over any --scenario' },
  watch: { ...SWITCH, help: 'Reload service, document and --fixtures when a file changes' },
  rules: { ...choice('on', 'off'), help: `Enforce the rules of the store (default: ${SERVICE_DEFAULTS.rules})` },
  delay: { ...DELAY, help: `Delay of every response (default: ${SERVICE_DEFAULTS.delay})` },
  https: { ...SWITCH, help: 'Answer HTTPS on the same port, with HTTP/1.1 and HTTP/2' },
  open: { ...SWITCH, help: 'Open the dashboard in a browser' },
  'log-format': { ...choice('pretty', 'json'), help: 'Output format (default: pretty)' },
}

const OPERATIONS: Omit<Flag, 'help'> = {
  value: 'operations',
  read: (given) => given.split(',').map((name) => name.trim()),
  separator: ',',
  combine: (values) => values.flat(),
}

/** For a mock in front of the real service. */
const UPSTREAM_FLAGS: Flags = {
  upstream: { ...BASE_URL, help: 'Stand in front of this service: see --pass' },
  pass: { ...OPERATIONS, help: 'Pass these operations through: an operationId, list*, GET (repeatable)' },
  mock: {
    ...OPERATIONS,
    help: 'The mock answers these; without --pass, pass all others (repeatable)',
  },
  'pass-unknown': { ...SWITCH, help: 'Also pass through what the OpenAPI document does not know' },
  'upstream-ca': { ...text('file'), help: 'Also trust certificates of the service signed by this one (PEM)' },
  'upstream-strict': { ...SWITCH, help: 'Exit with 1 if what was passed through broke the contract' },
  'upstream-fallback': { ...SWITCH, help: 'Answer if the service cannot be reached, or returns 502 to 504' },
  'upstream-timeout-ms': {
    ...COUNT,
    help: `Timeout of a response of the service (default: ${UPSTREAM_DEFAULTS.upstreamTimeoutMs})`,
  },
}

/** Flags that have no effect without an upstream. */
export const NEED_UPSTREAM = Object.keys(UPSTREAM_FLAGS).filter((flag) => flag !== 'upstream')

/** The flags of `serve` that only its own help shows. */
export const MORE_SERVE_FLAGS: Flags = {
  ...UPSTREAM_FLAGS,
  quiet: { ...SWITCH, help: 'Print only the ready message and errors' },
  sunset: {
    ...choice('announce', 'enforce'),
    help: `After a sunset date, "enforce" returns 410 (default: ${SERVICE_DEFAULTS.sunset})`,
  },
  strict: { ...SWITCH, help: 'Reject query parameters not declared in the OpenAPI document' },
  security: {
    ...choice('ignore', 'require'),
    help: `Whether to require the credentials of the OpenAPI document (default: ${SERVICE_DEFAULTS.security})`,
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
