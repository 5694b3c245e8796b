import { MockError } from '../engine/contract/errors.js'
import { stringifyJson } from '../lib/json.js'
import type { AdminSender } from '../remote/client/admin-sender.js'
import type { ToolContext } from './tool.js'

const JSON_TYPE = { mimeType: 'application/json' }

const DOCUMENT = 'mock://openapi.json'
const FIXTURE_SCHEMA = 'mock://fixture.schema.json'
const STATE = 'mock://state.json'

export const RESOURCES = [
  { uri: DOCUMENT, name: 'openapi', title: 'The OpenAPI document of the service', ...JSON_TYPE },
  { uri: FIXTURE_SCHEMA, name: 'fixture-schema', title: 'The schema of fixtures, for reset', ...JSON_TYPE },
  { uri: STATE, name: 'state', title: 'All data of the mock, in the format of fixtures', ...JSON_TYPE },
] as const

interface Documents extends Pick<ToolContext, 'loadDocument'> {
  readFixtureSchema(): object
}

export async function readResource(mock: AdminSender, uri: string, { loadDocument, readFixtureSchema }: Documents) {
  const read: Readonly<Record<string, () => unknown>> = {
    [DOCUMENT]: loadDocument,
    [FIXTURE_SCHEMA]: readFixtureSchema,
    [STATE]: () => mock.send('GET', '/state'),
  }
  if (!Object.hasOwn(read, uri)) {
    throw new MockError('INVALID_REQUEST', `Unknown resource. Known: ${Object.keys(read).join(', ')}.`)
  }
  return { contents: [{ uri, ...JSON_TYPE, text: stringifyJson(await read[uri]?.()) ?? '' }] }
}
