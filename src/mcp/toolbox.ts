import type { Validate } from '../document/validate/validators.js'
import { describeViolation } from '../document/validate/violations.js'
import { messageOf } from '../engine/control/unreported-errors.js'
import { describeUnknown, MockError } from '../http/errors.js'
import { once } from '../lib/functions.js'
import type { AdminSchemas } from './admin-schemas.js'
import { toPlainJson } from './fit.js'
import type { Tool, ToolContext, UserFiles } from './tool.js'
import { createClock, createReset, createSimulate, rules } from './tools/controls.js'
import { changeData, readData } from './tools/data.js'
import { describeService } from './tools/describe-service.js'
import { createSaveReproduction } from './tools/reproduction.js'
import { requests } from './tools/requests.js'
import { sendRequest } from './tools/send-request.js'

export interface Toolbox {
  /** As they are listed. */
  readonly tools: readonly Omit<Tool, 'call'>[]
  /** Does not reject: what goes wrong is a result, for the reader to correct. */
  call(context: ToolContext, name: string, args: object): Promise<ToolResult>
}

interface ToolResult {
  readonly content: { type: 'text'; text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: true
}

export function createToolbox(schemas: AdminSchemas, files: UserFiles): Toolbox {
  const tools: readonly Tool[] = [
    describeService,
    sendRequest,
    readData,
    changeData,
    createReset(schemas),
    createSimulate(schemas),
    rules,
    requests,
    createClock(schemas),
    createSaveReproduction(files),
  ]
  const check = createCheck()

  async function run(context: ToolContext, name: string, args: object): Promise<object> {
    const tool = tools.find((each) => each.name === name)
    if (tool === undefined) {
      const names = tools.map((each) => each.name)
      throw new MockError('INVALID_REQUEST', describeUnknown('tool', name, names))
    }
    await check(tool, args)
    return tool.call(context, args as never)
  }

  return {
    tools: tools.map(({ call: _, ...tool }) => tool),
    async call(context, name, args) {
      try {
        const result = toPlainJson(await run(context, name, args)) as Record<string, unknown>
        return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
      } catch (error) {
        return { content: [{ type: 'text', text: messageOf(error) }], isError: true }
      }
    },
  }
}

/** Checks arguments like request bodies. What compiles the schemas is large, and loaded for the first call. */
function createCheck() {
  const validators = new Map<Tool, Validate>()
  const loadCompiler = once(async () => {
    const { createSchemaCompiler, withFunctions } = await import('../engine/mock/document-tools.js')
    const { createFunctions } = await withFunctions(undefined)
    return createSchemaCompiler(new Map(), createFunctions)
  })

  return async (tool: Tool, args: object): Promise<void> => {
    const compiler = await loadCompiler()
    const validate = validators.get(tool) ?? compiler.validatorOf(tool.inputSchema, 'request')
    validators.set(tool, validate)
    if (validate(args)) return
    const [violation] = validate.errors ?? []
    const sentence = violation && describeViolation(violation, (pointer) => pointer || 'The arguments')
    throw new MockError('INVALID_REQUEST', sentence ?? 'The arguments are invalid.')
  }
}
