import { isObject } from '../../lib/plain-object.js'

/** Copies a part of an OpenAPI document, without the examples in it. */
export function withoutExamples(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutExamples)
  if (!isObject(node)) return node
  const members = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples')
  return Object.fromEntries(members.map(([key, member]) => [key, copyMember(key, member)]))
}

function copyMember(key: string, member: unknown): unknown {
  if (VALUES.includes(key)) return member
  if (!NAMED.includes(key) || !isObject(member)) return withoutExamples(member)
  return Object.fromEntries(Object.entries(member).map(([name, each]) => [name, withoutExamples(each)]))
}

/** Their members have names of the author's choice, which may be `example`. */
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas', 'mapping']

const VALUES = ['default', 'enum', 'const']
