import type { AdminSchemas } from '../admin-schemas.js'
import { CHANGES, type Tool, type ToolContext } from '../tool.js'

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
    await mock.send('POST', '/reset', target)
    const { seed, scenario } = (await mock.send('GET', '/health')) as { seed: number; scenario?: string }
    return { baseUrl: mock.baseUrl, seed, ...(scenario !== undefined && { scenario }) }
  },
})
