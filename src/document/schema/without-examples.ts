import { isObject } from '../../lib/values.js'
import { NAME_MAPS_OF_SCHEMAS, VALUES } from './keywords.js'

/** Copies a part of an OpenAPI document, without the examples in it. */
export function withoutExamples(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutExamples)
  if (!isObject(node)) return node
  const members = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples')
  return Object.fromEntries(members.map(([key, member]) => [key, copyMember(key, member)]))
}

function copyMember(key: string, member: unknown): unknown {
  if (VALUES.includes(key)) return member
  if (!NAME_MAPS_OF_SCHEMAS.includes(key) || !isObject(member)) return withoutExamples(member)
  return Object.fromEntries(Object.entries(member).map(([name, each]) => [name, withoutExamples(each)]))
}
