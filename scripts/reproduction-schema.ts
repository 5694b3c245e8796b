import { formatSchema } from './fixture-schema.js'

type Json = Readonly<Record<string, unknown>>

/** The JSON Schema of reproduction files, for editors: the schema of the admin API, with the schemas it refers to. */
export function reproductionSchema(document: object): string {
  const { schemas } = (document as { components: { schemas: Readonly<Record<string, Json>> } }).components
  const definitions: Record<string, unknown> = {}

  function convert(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(convert)
    if (typeof node !== 'object' || node === null) return node
    const { $ref, ...members } = node as Json
    if (typeof $ref === 'string') {
      const name = $ref.slice($ref.lastIndexOf('/') + 1)
      if (!(name in definitions)) {
        definitions[name] = {}
        definitions[name] = convert(schemas[name])
      }
      return { $ref: `#/definitions/${name}` }
    }
    const kept = Object.entries(members).filter(([key]) => key !== 'example' && !key.startsWith('x-'))
    return Object.fromEntries(kept.map(([key, value]) => [key, convert(value)]))
  }

  const root = convert(schemas.Reproduction) as Json
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'petstore-mock reproduction',
    ...root,
    definitions,
  }
  return formatSchema(schema)
}
