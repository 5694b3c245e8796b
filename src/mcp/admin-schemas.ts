import { resolvePointer } from '../document/schema/pointer.js'
import { withoutExamples } from '../document/schema/without-examples.js'
import type { Json } from '../lib/values.js'

export type JsonSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>

/** Finds schemas of the admin API by name, with no references. */
export type AdminSchemas = (name: string) => JsonSchema

/** Takes the schemas from the document of the admin API, so that tools take and return what it does. */
export function readAdminSchemas(document: object): AdminSchemas {
  const inline = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inline)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as Json
    if (typeof $ref === 'string') return inline(resolvePointer(document, $ref))
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, inlineMember(name, member)]))
  }
  const inlineMember = (name: string, member: unknown): unknown =>
    name === 'description' && typeof member === 'string' ? member.trim().replaceAll(/\s+/g, ' ') : inline(member)

  return (name) => withoutExamples(inline({ $ref: `#/components/schemas/${name}` })) as JsonSchema
}
