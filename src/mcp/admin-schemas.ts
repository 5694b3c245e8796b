import { resolvePointer } from '../engine/contract/pointer.js'

export type JsonSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>

type Json = Readonly<Record<string, unknown>>

/** Finds schemas of the admin API by name, with no references. */
export type AdminSchemas = (name: string) => JsonSchema

/** Only for readers of the document. */
const LEFT_OUT = ['example', 'examples']

/** Takes the schemas from the document that the mock serves, so that tools take and return what its admin API does. */
export function readAdminSchemas(document: object): AdminSchemas {
  const inline = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inline)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as Json
    if (typeof $ref === 'string') return inline(resolvePointer(document, $ref))
    const members = Object.entries(node).filter(([name]) => !LEFT_OUT.includes(name))
    return Object.fromEntries(members.map(([name, member]) => [name, inlineMember(name, member)]))
  }
  const inlineMember = (name: string, member: unknown): unknown =>
    name === 'description' && typeof member === 'string' ? member.trim().replaceAll(/\s+/g, ' ') : inline(member)

  return (name) => inline({ $ref: `#/components/schemas/${name}` }) as JsonSchema
}
