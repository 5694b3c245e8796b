import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contestant, World } from '../contestants.js'
import { here } from '../processes.js'

/** What a user would pick instead. It is installed into a folder of its own when it is measured, and nowhere else. */
export interface Peer extends Omit<Contestant, 'command'> {
  /** Exact versions; the first is what is measured. */
  readonly packages: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, string>>
  /** The Node it needs when the one that measures is older. */
  readonly node?: number
  /** A script of this folder, which runs in that one. */
  readonly script?: string
  /** What Node is started with, in the folder it is installed in; asked before every start. */
  args(world: World): readonly string[]
}

const DOCUMENT = here('../spec/openapi.yaml')
const OWN_RESET = { method: 'POST', target: '/__reset' }
const NOT_CHECKED = { invalid: undefined }

const OF_MSW = {
  packages: { '@mswjs/http-middleware': '0.10.3', '@mswjs/data': '0.16.2', msw: '2.15.0' },
  script: 'msw.mjs',
  validates: false,
  statuses: NOT_CHECKED,
  reset: OWN_RESET,
}

const OF_PRISM = {
  packages: { '@stoplight/prism-cli': '5.16.0' },
  node: 24,
  validates: true,
  statuses: { invalid: 422 },
  reset: 'none' as const,
}
const PRISM = ['node_modules/@stoplight/prism-cli/dist/index.js', 'mock', '-p', '{port}', '-h', '127.0.0.1']

export const peers: readonly Peer[] = [
  {
    name: 'openapi-backend',
    packages: { 'openapi-backend': '5.21.2' },
    // Its own choice needs a newer Node than it says.
    overrides: { '@apidevtools/json-schema-ref-parser': '15.3.6' },
    script: 'openapi-backend.mjs',
    validates: true,
    reset: OWN_RESET,
    args: ({ file }) => ['openapi-backend.mjs', '{port}', DOCUMENT, file],
  },
  {
    ...OF_PRISM,
    name: 'Prism, log off',
    args: () => [...PRISM, '-m', 'false', '--verboseLevel', 'silent', DOCUMENT],
  },
  {
    ...OF_PRISM,
    name: 'Prism, as it comes',
    args: () => [...PRISM, '-m', 'false', DOCUMENT],
  },
  {
    name: 'Scalar mock server',
    packages: { '@scalar/mock-server': '0.14.4', '@hono/node-server': '1.19.18' },
    node: 24,
    script: 'scalar.mjs',
    validates: true,
    statuses: { invalid: 422 },
    reset: 'none',
    args: () => ['scalar.mjs', '{port}', DOCUMENT],
  },
  {
    name: 'Mockoon CLI, CRUD',
    packages: { '@mockoon/cli': '9.9.0' },
    validates: false,
    statuses: NOT_CHECKED,
    args: (world) => [
      'node_modules/@mockoon/cli/bin/run.js',
      ...['start', '--repair', '--disable-log-to-file', '--port', '{port}', '--data', writeMockoon(world)],
    ],
  },
  {
    name: 'json-server 1.0',
    packages: { 'json-server': '1.0.0-beta.15' },
    validates: false,
    statuses: NOT_CHECKED,
    targets: { list: '/pets?_page=1&_per_page=20&status=available' },
    args: (world) => ['node_modules/json-server/lib/bin.js', '--port', '{port}', writeJsonServer(world)],
  },
  {
    name: 'json-server 0.17',
    packages: { 'json-server': '0.17.4' },
    validates: false,
    statuses: NOT_CHECKED,
    targets: { list: '/pets?_limit=20&status=available' },
    args: (world) => ['node_modules/json-server/lib/cli/bin.js', '--quiet', '--port', '{port}', writeJsonServer(world)],
  },
  {
    ...OF_MSW,
    name: '@mswjs/http-middleware, data',
    targets: { list: '/pets?take=20&status=available' },
    args: ({ file }) => ['msw.mjs', '{port}', file, 'data'],
  },
  {
    ...OF_MSW,
    name: '@mswjs/http-middleware, bare',
    args: ({ file }) => ['msw.mjs', '{port}', file, 'handlers'],
  },
]

/** It takes ids that are strings only, and writes to its file, so every start gets a file of its own. */
function writeJsonServer({ folder, file }: World): string {
  const { pets } = JSON.parse(readFileSync(file, 'utf8')) as { pets: { id: number }[] }
  const own = join(folder, 'json-server.json')
  writeFileSync(own, JSON.stringify({ pets: pets.map((pet) => ({ ...pet, id: String(pet.id) })) }))
  return own
}

function writeMockoon({ folder, file }: World): string {
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
  const own = join(folder, 'mockoon.json')
  const environment = { uuid: 'd', name: 'pets', port: 3000, routes: [route], data: [bucket] }
  writeFileSync(own, JSON.stringify({ ...environment, rootChildren: [{ type: 'route', uuid: 'c' }] }))
  return own
}
