import { describeUnknown, MockError } from '../../http/errors.js'
import type { AdminSender } from '../../tools/client/admin-sender.js'
import { fitItems } from '../fit.js'
import { describeOperation, findOperation, type ServiceDocument } from '../service-document.js'
import { READS, rejectUnused, type Tool, type ToolContext } from '../tool.js'

interface Arguments {
  readonly operation?: string
  readonly search?: string
}

const NAMED_LIST = { type: 'array', items: { type: 'object', required: ['name'] } }

export const describeService: Tool = {
  name: 'describe_service',
  description:
    'What the mock stands in for: its address, operations, resources and scenarios. Give an operation for its parameters, schemas and responses.',
  annotations: READS,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      operation: { type: 'string', description: 'The name of an operation.' },
      search: { type: 'string', description: 'Only operations with this text in their name, path or summary.' },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['baseUrl'],
    properties: {
      baseUrl: { type: 'string', description: 'The address for your code.' },
      title: { type: 'string' },
      version: { type: 'string' },
      scenario: { type: 'string', description: 'The starting data.' },
      operations: {
        type: 'array',
        items: { type: 'object', required: ['operation', 'request'] },
      },
      leftOut: { type: 'integer', description: 'How many operations are missing here. Use search.' },
      resources: NAMED_LIST,
      scenarios: NAMED_LIST,
      operation: { type: 'object', description: 'Everything about the operation that was named.' },
    },
  },
  async call({ mock, loadDocument }: ToolContext, args: Arguments) {
    const { operation, search } = args
    const document = await loadDocument()
    if (operation === undefined) return describeAll(mock, document, search)
    rejectUnused(args, ['operation'], '/operation')
    return describeOne(mock, document, operation)
  },
}

async function describeAll(mock: AdminSender, document: ServiceDocument, search = '') {
  const [operations, health, scenarios, collections] = await Promise.all([
    listOperations(mock),
    mock.send('getHealth'),
    mock.send('listScenarios'),
    mock.send('listCollections'),
  ])
  const listed = operations.map(({ operation, method, path, meaning }) => {
    const { summary } = findOperation(document, method, path)
    return {
      operation,
      request: `${method} ${path}`,
      ...(meaning !== undefined && { meaning }),
      ...(typeof summary === 'string' && { summary }),
    }
  })
  const isWanted = (each: object) => JSON.stringify(Object.values(each)).toLowerCase().includes(search.toLowerCase())
  const { kept, leftOut } = fitItems(listed.filter(isWanted))
  return {
    baseUrl: mock.baseUrl,
    title: document.info?.title ?? '',
    version: document.info?.version ?? '',
    ...(health.scenario !== undefined && { scenario: health.scenario }),
    seed: health.seed,
    operations: kept,
    leftOut,
    resources: collections.map(({ name, path, id }) => ({ name, path, id: id.property })),
    scenarios: scenarios.map(({ name, description }) => ({ name, description })),
  }
}

async function describeOne(mock: AdminSender, document: ServiceDocument, name: string) {
  const operations = await listOperations(mock)
  const found = operations.find(({ operation }) => operation === name)
  if (found === undefined) {
    const names = operations.map(({ operation }) => operation)
    throw new MockError('UNKNOWN_OPERATION', describeUnknown('operation', name, names))
  }
  return { baseUrl: mock.baseUrl, operation: describeOperation(document, found) }
}

/** The coverage has the name of every operation, also of those that the document does not name. */
async function listOperations(mock: AdminSender) {
  return (await mock.send('getCoverage')).operations
}
