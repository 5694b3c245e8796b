import { resolvePointer } from '../contract/pointer.js'

export type Json = Readonly<Record<string, unknown>>

const COMPONENT = '#/components/schemas/'

/**
 * Returns a function that returns the schema at a JSON pointer of a document, for use in another document, and adds those it
 * refers to to the schemas of that one. They keep their names, unless the other document uses them already.
 */
export function createSchemaCopier(document: object, schemas: Record<string, Json>): (pointer: string) => Json {
  const names = new Map<string, string>()

  function nameOf(pointer: string): string {
    const known = names.get(pointer)
    if (known !== undefined) return known
    const last = (pointer.split('/').at(-1) ?? '').replaceAll(/[^\w.-]+/g, '_')
    let name = last
    for (let number = 2; Object.hasOwn(schemas, name); number++) name = `${last}${number}`
    names.set(pointer, name)
    // Before it is copied: a schema may contain itself.
    schemas[name] = {}
    schemas[name] = copy(resolvePointer(document, pointer)) as Json
    return name
  }

  function copy(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(copy)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as Json
    if (typeof $ref === 'string' && resolvePointer(document, $ref) !== undefined)
      return { $ref: COMPONENT + nameOf($ref) }
    // Its mapping has references, too, and it only helps to choose between them.
    const members = Object.entries(node).filter(([key]) => key !== 'discriminator')
    return Object.fromEntries(members.map(([key, value]) => [key, copy(value)]))
  }

  return (pointer) =>
    pointer.startsWith(COMPONENT)
      ? { $ref: COMPONENT + nameOf(pointer) }
      : (copy(resolvePointer(document, pointer)) as Json)
}
