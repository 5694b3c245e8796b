import { MockError } from '../../http/errors.js'
import { fitItems } from '../fit.js'
import { CHANGES, READS, rejectUnused, type Tool, type ToolContext } from '../tool.js'

const PAGE_SIZE = 100

const RESOURCE = { type: 'string', minLength: 1, description: 'The name of a resource, as describe_service has it.' }
const ID = { type: ['integer', 'string'], description: 'Its id. As text if it has more than 15 digits.' }
const RECORDS = { type: 'array', items: { type: 'object' } }

type Id = string | number

interface ReadArguments {
  readonly resource: string
  readonly id?: Id
  readonly offset?: number
  readonly limit?: number
}

export const readData: Tool = {
  name: 'read_data',
  description: 'Read the records of a resource, or one of them, without a request to the service.',
  annotations: READS,
  inputSchema: {
    type: 'object',
    required: ['resource'],
    additionalProperties: false,
    properties: {
      resource: RESOURCE,
      id: ID,
      offset: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 1, maximum: PAGE_SIZE, description: 'Default is 20.' },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['records', 'total', 'leftOut'],
    additionalProperties: false,
    properties: {
      records: RECORDS,
      total: { type: 'integer' },
      leftOut: { type: 'integer', description: 'How many come after these. Raise offset to read them.' },
    },
  },
  async call({ mock }: ToolContext, args: ReadArguments) {
    const { resource, id, offset = 0, limit = 20 } = args
    if (id !== undefined) {
      rejectUnused(args, ['resource', 'id'], '/id')
      return {
        records: [await mock.send('getRecord', { path: { collection: resource, recordId: id } })],
        total: 1,
        leftOut: 0,
      }
    }
    const { items, total } = await mock.sendForPage({ path: { collection: resource }, query: { offset, limit } })
    const { kept, leftOut } = fitItems(items, Math.max(total - offset, items.length))
    return { records: kept, total, leftOut }
  },
}

interface ChangeArguments {
  readonly action: 'create' | 'update' | 'delete'
  readonly resource: string
  readonly id?: Id
  readonly records?: readonly object[]
  readonly fields?: object
}

export const changeData: Tool = {
  name: 'change_data',
  description: 'Create, update or delete records without requests to the service. Fields that you leave out are made.',
  annotations: CHANGES,
  inputSchema: {
    type: 'object',
    required: ['action', 'resource'],
    additionalProperties: false,
    properties: {
      action: { type: 'string', enum: ['create', 'update', 'delete'] },
      resource: RESOURCE,
      id: { ...ID, description: `For update and delete. ${ID.description}` },
      records: { ...RECORDS, minItems: 1, maxItems: PAGE_SIZE, description: 'For create: the fields of each record.' },
      fields: { type: 'object', description: 'For update: the fields that change.' },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['records', 'leftOut'],
    additionalProperties: false,
    properties: {
      records: { ...RECORDS, description: 'As they are now.' },
      leftOut: { type: 'integer', description: 'How many more were created.' },
    },
  },
  async call({ mock }: ToolContext, args: ChangeArguments) {
    const { action, resource } = args
    rejectUnused(args, ['action', 'resource', ...USED[action]], action)
    if (action === 'create') {
      const body = required(args, 'records')
      const records: object[] = await mock.send('createRecords', { path: { collection: resource }, body })
      const { kept, leftOut } = fitItems(records)
      return { records: kept, leftOut }
    }
    const path = { collection: resource, recordId: required(args, 'id') }
    if (action === 'update') {
      return { records: [await mock.send('updateRecord', { path, body: required(args, 'fields') })], leftOut: 0 }
    }
    await mock.send('deleteRecord', { path })
    return { records: [], leftOut: 0 }
  },
}

const USED = { create: ['records'], update: ['id', 'fields'], delete: ['id'] }

function required<Name extends keyof ChangeArguments>(
  args: ChangeArguments,
  name: Name,
): NonNullable<ChangeArguments[Name]> {
  const value = args[name]
  if (value !== undefined) return value
  throw new MockError('INVALID_REQUEST', `/${name} is missing: ${args.action} requires it.`)
}
