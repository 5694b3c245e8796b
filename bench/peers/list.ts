import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Candidate, PETSTORE_DOCUMENT, type StartingData } from '../candidates.js'

/** An alternative that a user might choose. It is installed into a separate folder only when it is measured. */
export interface Peer extends Omit<Candidate, 'command'> {
  /** Exact versions; the first package is the one that is measured. */
  readonly packages: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, string>>
  /** The version of Node that it requires, if the current one is older. */
  readonly node?: number
  /** A script in this folder, which is copied to that one. */
  readonly script?: string
  /** The arguments of Node, in the folder of the installation; called before every start. */
  args(startingData: StartingData): readonly string[]
}

const SCRIPT_RESET = { method: 'POST', target: '/__reset' }
const NOT_VALIDATED = { invalid: undefined }

const PRISM_OPTIONS = {
  packages: { '@stoplight/prism-cli': '5.16.0' },
  node: 24,
  validates: true,
  statuses: { invalid: 422 },
  reset: 'none' as const,
}
const PRISM = ['node_modules/@stoplight/prism-cli/dist/index.js', 'mock', '-p', '{port}', '-h', '127.0.0.1']

/** Prism in front of a service, which it validates as we do. */
export function prismProxy(url: string): Peer {
  const [script = '', , ...port] = PRISM
  return {
    ...PRISM_OPTIONS,
    name: 'Prism proxy, log off',
    args: () => [script, 'proxy', ...port, '--verboseLevel', 'silent', PETSTORE_DOCUMENT, url],
  }
}

export const peers: readonly Peer[] = [
  {
    name: 'openapi-backend',
    packages: { 'openapi-backend': '5.21.2' },
    // The version that it would install requires a newer Node than it declares.
    overrides: { '@apidevtools/json-schema-ref-parser': '15.3.6' },
    script: 'openapi-backend.mjs',
    validates: true,
    reset: SCRIPT_RESET,
    args: ({ file }) => ['openapi-backend.mjs', '{port}', PETSTORE_DOCUMENT, file],
  },
  {
    ...PRISM_OPTIONS,
    name: 'Prism, log off',
    args: () => [...PRISM, '-m', 'false', '--verboseLevel', 'silent', PETSTORE_DOCUMENT],
  },
  {
    ...PRISM_OPTIONS,
    name: 'Prism, default log',
    args: () => [...PRISM, '-m', 'false', PETSTORE_DOCUMENT],
  },
  {
    name: 'Scalar mock server',
    packages: { '@scalar/mock-server': '0.14.4', '@hono/node-server': '1.19.18' },
    node: 24,
    script: 'scalar.mjs',
    validates: true,
    statuses: { invalid: 422 },
    reset: 'none',
    args: () => ['scalar.mjs', '{port}', PETSTORE_DOCUMENT],
  },
  {
    name: 'Mockoon CLI, CRUD',
    packages: { '@mockoon/cli': '9.9.0' },
    validates: false,
    statuses: NOT_VALIDATED,
    args: (startingData) => [
      'node_modules/@mockoon/cli/bin/run.js',
      ...['start', '--repair', '--disable-log-to-file', '--port', '{port}', '--data', writeMockoon(startingData)],
    ],
  },
  {
    name: 'json-server 1.0',
    packages: { 'json-server': '1.0.0-beta.15' },
    validates: false,
    statuses: NOT_VALIDATED,
    targets: { list: '/pets?_page=1&_per_page=20&status=available' },
    args: (startingData) => ['node_modules/json-server/lib/bin.js', '--port', '{port}', writeJsonServer(startingData)],
  },
  {
    name: 'json-server 0.17',
    packages: { 'json-server': '0.17.4' },
    validates: false,
    statuses: NOT_VALIDATED,
    targets: { list: '/pets?_limit=20&status=available' },
    args: (startingData) => [
      'node_modules/json-server/lib/cli/bin.js',
      '--quiet',
      '--port',
      '{port}',
      writeJsonServer(startingData),
    ],
  },
  {
    name: '@mswjs/http-middleware, data',
    packages: { '@mswjs/http-middleware': '0.10.3', '@mswjs/data': '0.16.2', msw: '2.15.0' },
    script: 'msw.mjs',
    validates: false,
    statuses: NOT_VALIDATED,
    reset: SCRIPT_RESET,
    targets: { list: '/pets?take=20&status=available' },
    args: ({ file }) => ['msw.mjs', '{port}', file],
  },
]

/** json-server accepts only ids that are strings, and writes to its file, so every start gets a new file. */
function writeJsonServer({ folder, file }: StartingData): string {
  const { pets } = JSON.parse(readFileSync(file, 'utf8')) as { pets: { id: number }[] }
  const output = join(folder, 'json-server.json')
  writeFileSync(output, JSON.stringify({ pets: pets.map((pet) => ({ ...pet, id: String(pet.id) })) }))
  return output
}

function writeMockoon({ folder, file }: StartingData): string {
  const { pets } = JSON.parse(readFileSync(file, 'utf8')) as { pets: unknown[] }
  const bucket = { uuid: 'a', id: 'pets', name: 'pets', documentation: '', value: JSON.stringify(pets) }
  const response = {
    ...{ uuid: 'b', body: '{}', latency: 0, statusCode: 200, label: '', headers: [], bodyType: 'DATABUCKET' },
    ...{ filePath: '', databucketID: 'pets', sendFileAsBody: false, rules: [], rulesOperator: 'OR', callbacks: [] },
    ...{ disableTemplating: false, fallbackTo404: false, default: true, crudKey: 'id' },
  }
  const route = {
    ...{ uuid: 'c', type: 'crud', documentation: '', method: '', endpoint: 'pets', responses: [response] },
    ...{ responseMode: null, streamingMode: null, streamingInterval: 0 },
  }
  const output = join(folder, 'mockoon.json')
  const environment = { uuid: 'd', name: 'pets', port: 3000, routes: [route], data: [bucket] }
  writeFileSync(output, JSON.stringify({ ...environment, rootChildren: [{ type: 'route', uuid: 'c' }] }))
  return output
}
