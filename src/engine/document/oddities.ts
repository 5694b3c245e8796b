import { quote } from '../../lib/quote.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { escapeToken, toPointer, walk } from './walk.js'

/** Parts of a document that the mock serves without following them, each a sentence that starts with a JSON pointer. */
export function findOddities(document: object, resources: readonly ServiceResource[]): string[] {
  return [...findRepeatedNames(document), ...findOddPatterns(document), ...findLostIds(resources)]
}

function findRepeatedNames(document: object): string[] {
  const { paths = {} } = document as { readonly paths?: Readonly<Record<string, object | undefined>> }
  const first = new Map<string, string>()
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).flatMap(([method, operation]) => {
      const name = (operation as { operationId?: unknown } | null)?.operationId
      if (typeof name !== 'string') return []
      const pointer = `/paths/${escapeToken(path)}/${method}`
      const earlier = first.get(name)
      if (earlier === undefined) first.set(name, pointer)
      if (earlier === undefined) return []
      return [
        `${pointer}/operationId ${quote(name)} is also that of ${earlier}. Here it is ${method.toUpperCase()} ${path}.`,
      ]
    }),
  )
}

function findOddPatterns(document: object): string[] {
  const problems: string[] = []
  for (const { value, path, isNames } of walk(document)) {
    const { pattern } = value as { readonly pattern?: unknown }
    if (isNames || typeof pattern !== 'string' || isPattern(pattern, 'u') || isPattern(pattern, '')) continue
    problems.push(`${toPointer(path)}/pattern is not one of JavaScript, and is not checked: ${quote(pattern)}.`)
  }
  return problems
}

function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) !== undefined
  } catch {
    return false
  }
}

function findLostIds(resources: readonly ServiceResource[]): string[] {
  return resources
    .filter(({ id, itemPath }) => itemPath !== undefined && id.property === undefined)
    .map(
      ({ itemPath = '', id }) => `/paths/${escapeToken(itemPath)} has records without a property for ${id.parameter}.`,
    )
}
