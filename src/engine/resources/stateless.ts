import type { Contract } from '../contract/contract.js'
import type { HandlerResponse } from '../service.js'
import type { ResourceContext } from './handler.js'
import type { Tools } from './value-maker.js'

/** Answers an operation that belongs to no resource from its schema. It keeps nothing. */
export function createStatelessHandler(operationId: string, contract: Contract, tools: Tools) {
  return (_context: ResourceContext): HandlerResponse => {
    const operation = contract.operationById(operationId)
    const status = successOf(Object.keys(operation?.responses ?? {}))
    const shape = operation?.shapeOf(status)
    if (shape === undefined) return { status }
    return { status, body: tools.maker?.makeBody(shape.schema, operationId) ?? null }
  }
}

/** The first status of a success; 200 if the document has none, or only `2XX` or `default`. */
function successOf(statuses: readonly string[]): number {
  return Number(statuses.filter((status) => /^2\d\d$/.test(status)).sort()[0] ?? 200)
}
