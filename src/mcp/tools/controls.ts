import { MockError } from '../../http/errors.js'
import type { AdminSchemas, JsonSchema } from '../admin-schemas.js'
import { fitItems } from '../fit.js'
import { ADDS, CHANGES, type Tool, type ToolContext } from '../tool.js'

export function createClock(schemas: AdminSchemas): Tool {
  const { properties: advance } = schemas('ClockAdvance') as JsonSchema & { properties: object }
  const { properties: change } = schemas('ClockChange') as JsonSchema & { properties: object }
  return {
    name: 'clock',
    description: 'Read the clock of the mock, set it, freeze it, or move it forward.',
    annotations: CHANGES,
    inputSchema: { type: 'object', additionalProperties: false, properties: { ...change, ...advance } },
    outputSchema: schemas('ClockState'),
    async call({ mock }: ToolContext, { by, ...changes }: { by?: unknown }) {
      if (Object.keys(changes).length > 0) await mock.send('setClock', { body: changes })
      if (by !== undefined) await mock.send('advanceClock', { body: { by } })
      return mock.send('getClock')
    },
  }
}

export const createReset = (schemas: AdminSchemas): Tool => ({
  name: 'reset',
  description:
    'Go back to the starting data, or to a scenario or your own fixtures. Also drops simulated failures and responses, the recorded requests and changes of the clock.',
  annotations: CHANGES,
  inputSchema: schemas('ResetTarget'),
  outputSchema: {
    type: 'object',
    required: ['baseUrl', 'seed'],
    additionalProperties: false,
    properties: {
      baseUrl: { type: 'string', description: 'The address for your code.' },
      seed: { type: 'integer' },
      scenario: { type: 'string', description: 'Missing if the fixtures are not merged over one.' },
    },
  },
  async call({ mock }: ToolContext, target: object) {
    await mock.send('resetMock', { body: target })
    const { seed, scenario } = await mock.send('getHealth')
    return { baseUrl: mock.baseUrl, seed, ...(scenario !== undefined && { scenario }) }
  },
})

const RULE = { type: 'object', required: ['id', 'applied', 'active'] }

const OPERATIONS = {
  failure: { add: 'addFault', list: 'listFaults', remove: 'removeFault', clear: 'clearFaults' },
  response: { add: 'addOverride', list: 'listOverrides', remove: 'removeOverride', clear: 'clearOverrides' },
} as const

type Kind = keyof typeof OPERATIONS

export const createSimulate = (schemas: AdminSchemas): Tool => ({
  name: 'simulate',
  description:
    'Add a failure, or a fixed response of one operation, for the requests that follow. Give one of the two.',
  annotations: ADDS,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: { failure: schemas('FaultRule'), response: schemas('NewOverride') },
  },
  outputSchema: {
    type: 'object',
    required: ['baseUrl'],
    additionalProperties: false,
    properties: {
      baseUrl: { type: 'string', description: 'The address for your code.' },
      failure: { ...RULE, description: 'The failure, with its id.' },
      response: { ...RULE, description: 'The fixed response, with its id.' },
    },
  },
  async call({ mock }: ToolContext, args: Partial<Record<Kind, object>>) {
    const [kind, other] = Object.keys(args) as Kind[]
    if (kind === undefined || other !== undefined) {
      throw new MockError('INVALID_REQUEST', 'The arguments must be either /failure or /response.')
    }
    return { baseUrl: mock.baseUrl, [kind]: await mock.send(OPERATIONS[kind].add, { body: args[kind] }) }
  },
})

export const rules: Tool = {
  name: 'rules',
  description: 'List the simulated failures and fixed responses, with how often each was applied, or remove some.',
  annotations: CHANGES,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      remove: { type: 'string', enum: ['failure', 'response', 'all'], description: 'What to remove.' },
      id: { type: 'integer', minimum: 1, description: 'Which failure or response. Default is all of that kind.' },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['failures', 'responses', 'leftOut'],
    additionalProperties: false,
    properties: {
      failures: { type: 'array', items: RULE },
      responses: { type: 'array', items: RULE },
      leftOut: { type: 'integer', description: 'How many are missing here.' },
    },
  },
  async call({ mock }: ToolContext, { remove, id }: { remove?: Kind | 'all'; id?: number }) {
    if (id !== undefined && (remove === undefined || remove === 'all')) {
      throw new MockError('INVALID_REQUEST', '/id requires /remove to be failure or response.')
    }
    const kinds = remove === 'all' ? (['failure', 'response'] as const) : remove === undefined ? [] : [remove]
    for (const kind of kinds) {
      if (id === undefined) await mock.send(OPERATIONS[kind].clear)
      else await mock.send(OPERATIONS[kind].remove, { path: { id } })
    }
    const failures = fitItems(await mock.send('listFaults'))
    const responses = fitItems(await mock.send('listOverrides'))
    return { failures: failures.kept, responses: responses.kept, leftOut: failures.leftOut + responses.leftOut }
  },
}
