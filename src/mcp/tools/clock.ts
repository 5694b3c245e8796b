import type { AdminSchemas, JsonSchema } from '../admin-schemas.js'
import { CHANGES, type Tool, type ToolContext } from '../tool.js'

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
      if (Object.keys(changes).length > 0) await mock.send('PUT', '/clock', changes)
      if (by !== undefined) await mock.send('POST', '/clock/advance', { by })
      return (await mock.send('GET', '/clock')) as object
    },
  }
}
