import { once } from '../../lib/once.js'
import { findDeclaredStatus } from '../contract/declared-status.js'
import { compileShapes, type Operation, type ResponseShape } from '../contract/operation.js'
import type { DocumentOperation } from '../contract/route.js'
import { propertiesOf } from '../contract/schema.js'

/** How often the operations of a document use a shape. */
interface Use {
  readonly shape: ResponseShape
  count: number
}

type Uses = Map<unknown, Use>

/**
 * Finds the shape of an error: that which the operation declares for the status, `none` if it declares the status without a
 * body, else that of most operations for the status, another one of the operation, or that of most operations. Undefined if
 * the document declares no shape at all.
 */
export function createErrorShapes(operations: readonly DocumentOperation[]) {
  const tallies = once(() => tally(operations))

  return (operation: Operation | undefined, status: number): ResponseShape | 'none' | undefined => {
    const responses = operation?.responses ?? {}
    if (findDeclaredStatus(responses, status) !== undefined) return operation?.shapeOf(status) ?? 'none'
    const { byStatus, all } = tallies()
    const own = Object.keys(responses).find((key) => isError(key) && operation?.shapeOf(Number(key)) !== undefined)
    return mostUsed(byStatus.get(String(status))) ?? operation?.shapeOf(Number(own)) ?? mostUsed(all)
  }
}

function tally(operations: readonly DocumentOperation[]) {
  const byStatus = new Map<string, Uses>()
  const all: Uses = new Map()
  for (const { responses = {} } of operations) {
    const errors = Object.fromEntries(Object.entries(responses).filter(([status]) => isError(status)))
    for (const [status, [shape]] of compileShapes(errors)) {
      if (shape === undefined) continue
      const uses = byStatus.get(status) ?? new Map()
      byStatus.set(status, uses)
      count(uses, shape)
      count(all, shape)
    }
  }
  return { byStatus, all }
}

function count(uses: Uses, shape: ResponseShape): void {
  // The same schema is often written again for each operation.
  const names = Object.keys(propertiesOf(shape.schema))
  const key = names.length > 0 ? `${shape.mediaType} ${names.sort().join(' ')}` : shape.schema
  const known = uses.get(key)
  if (known) known.count += 1
  else uses.set(key, { shape, count: 1 })
}

function mostUsed(uses: Uses = new Map()): ResponseShape | undefined {
  let most: Use | undefined
  for (const use of uses.values()) if (most === undefined || use.count > most.count) most = use
  return most?.shape
}

const isError = (status: string) => /^(?:[45](?:\d\d|XX)|default)$/i.test(status)
