/**
 * The JSON Schema of the fixture format, for editors. The entries come from the schemas of the OpenAPI document; the parts
 * written out below are specific to fixtures.
 */

/** A schema of the document. Its references point to `#/components/schemas/`. */
interface Source {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly example?: unknown
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Source>>
  readonly allOf?: readonly Source[]
}

type Sources = Readonly<Record<string, Source>>
type JsonSchema = Readonly<Record<string, unknown>>

/** The supported keywords of the document's schemas. Any other one throws, because it would be lost silently. */
const KNOWN = ['$ref', 'type', 'format', 'description', 'example', 'enum', 'required', 'properties', 'allOf']

/** Written exactly. Rounded to a double, each becomes a power of two, so no id in range is rejected. */
const INT64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }
const DIGITS = '^(?:0|-?[1-9][0-9]{0,18})$'
const NEXT_ID = {
  description: 'An id that no entry has or had.',
  anyOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', pattern: '^[1-9][0-9]{0,18}$' },
  ],
}

export function fixtureSchema(document: object): string {
  const { schemas } = (document as { components: { schemas: Sources } }).components
  const entry = (name: string) => toEntry(name, schemas)
  const order = entry('Order')
  return formatSchema({
    // The draft that editors support best.
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'petstore-mock fixture',
    description: 'Starting data for the mock. Any list may be omitted.',
    type: 'object',
    properties: {
      $schema: { description: 'The location of this schema, for editors.', type: 'string' },
      description: { description: 'A one-line description of the fixture.', type: 'string' },
      categories: list('The kinds of animals.', entry('Category')),
      pets: list(
        'The animals. Each has the id of its category, or describes the category.',
        petEntry(entry('Pet'), entry('NewCategory')),
      ),
      inventory: list(
        'The stock. A pet without an entry gets a stock of 1, or 0 if it is sold.',
        entry('InventoryItem'),
      ),
      // The contract requires no field of an order, but a stored order needs its id.
      orders: list('The orders, open and complete.', { ...order, required: ['id'] }),
      nextIds: {
        description: 'The first ids for new entries, so that those of deleted ones are not reused.',
        type: 'object',
        properties: { categories: NEXT_ID, pets: NEXT_ID, orders: NEXT_ID },
        additionalProperties: false,
      },
      specHash: { description: 'The hash of the OpenAPI document that an exported state belongs to.', type: 'string' },
    },
    additionalProperties: false,
  })
}

function list(description: string, items: JsonSchema): JsonSchema {
  return { description, type: 'array', items }
}

/** A pet may contain its category instead of the category's id. */
function petEntry(pet: JsonSchema, newCategory: JsonSchema): JsonSchema {
  const { properties, required, ...rest } = pet as { properties: JsonSchema; required: readonly string[] }
  const category = {
    ...newCategory,
    title: 'Category',
    description: 'The category itself, instead of its id. Pets with the same category name share it.',
  }
  return {
    ...rest,
    properties: { ...properties, category },
    required: required.filter((name) => name !== 'categoryId'),
    // The field is also in `properties` because Ajv, in strict mode, requires it there.
    oneOf: ['categoryId', 'category'].map((name) => ({ properties: { [name]: true }, required: [name] })),
  }
}

/** An object schema of the document, with its parts merged. Like the loader, it rejects unknown fields. */
function toEntry(name: string, schemas: Sources): JsonSchema {
  const source = resolve({ $ref: `#/components/schemas/${name}` }, schemas)
  const parts = [...(source.allOf ?? []).map((part) => resolve(part, schemas)), source]
  const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Sources
  const required = parts.flatMap((part) => part.required ?? [])
  return {
    title: name,
    ...describe(source.description),
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, toField(value, schemas)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** The first sentence. The rest is about requests, for example that no field of an order is required. */
function describe(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description: description.replace(/(?<=\.)\s.*$/s, '') }
}

function toField(source: Source, schemas: Sources): JsonSchema {
  const { type, format, description, example, enum: values } = resolve(source, schemas)
  const shown = { ...(description && { description }), ...(example !== undefined && { examples: [example] }) }
  if (format === 'int64') {
    return {
      ...shown,
      anyOf: [
        { type, ...INT64 },
        { type: 'string', pattern: DIGITS },
      ],
    }
  }
  return {
    ...shown,
    type,
    ...(format && { format }),
    ...(values && { enum: values }),
    // The loader rejects integers that a double would round.
    ...(type === 'integer' && { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  }
}

function resolve(source: Source, schemas: Sources): Source {
  const unknown = Object.keys(source).find((keyword) => !KNOWN.includes(keyword))
  if (unknown !== undefined) throw new Error(`The fixture schema does not support the keyword ${unknown} yet.`)
  if (source.$ref === undefined) return source
  const found = schemas[source.$ref.slice('#/components/schemas/'.length)]
  if (found === undefined) throw new Error(`The document has a broken reference: ${source.$ref}`)
  return resolve(found, schemas)
}

/** JSON in the style of the formatter: arrays of plain values on one line. */
export function formatSchema(schema: JsonSchema): string {
  const text = JSON.stringify(schema, (_, value) => (typeof value === 'bigint' ? `${value}n` : value), 2)
  return `${text
    .replace(/"(-?\d+)n"/g, '$1')
    .replace(/\[[^[\]{}]*\]/g, (plain) =>
      plain.replace(/\s*\n\s*/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim()),
    )}\n`
}
