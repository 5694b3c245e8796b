/**
 * The JSON Schema of the fixture format, for editors. The entries come from the contract's own schemas, so that a field
 * of the document is a field here; what is written out below is what fixtures have beyond the contract.
 */

/** A schema of the document. Its references lead to `#/components/schemas/`. */
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

/** The keywords of the document's schemas that are carried over. Another one is a fault, or it would be lost in silence. */
const KNOWN = ['$ref', 'type', 'format', 'description', 'example', 'enum', 'required', 'properties', 'allOf']

/** Written digit for digit. Read as a double each is the power of two beside it, so no id in range is refused. */
const INT64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }
const DIGITS = '^(?:0|-?[1-9][0-9]{0,18})$'
const NEXT_ID = {
  description: 'One that no entry has or had.',
  anyOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', pattern: '^[1-9][0-9]{0,18}$' },
  ],
}

export function fixtureSchema(document: object): string {
  const { schemas } = (document as { components: { schemas: Sources } }).components
  const entry = (name: string) => toEntry(name, schemas)
  const order = entry('Order')
  return format({
    // Editors know this draft best.
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Pet store fixture',
    description: 'A world for the pet store to start from. Any list may be left out.',
    type: 'object',
    properties: {
      $schema: { description: 'Where this schema is, for editors.', type: 'string' },
      description: { description: 'One line for people who choose between fixtures.', type: 'string' },
      categories: list('The kinds of animals.', entry('Category')),
      pets: list(
        'The animals. Each names its category by id, or describes it.',
        petEntry(entry('Pet'), entry('NewCategory')),
      ),
      inventory: list(
        'The stock. A pet without an entry gets one: a stock of 1, or 0 when it is sold.',
        entry('InventoryItem'),
      ),
      // The contract requires no field of an order; a stored one needs its id all the same.
      orders: list('The orders, open and complete.', { ...order, required: ['id'] }),
      nextIds: {
        description: 'The ids that new entries get first, so that those of deleted ones are not given out again.',
        type: 'object',
        properties: { categories: NEXT_ID, pets: NEXT_ID, orders: NEXT_ID },
        additionalProperties: false,
      },
      specHash: { description: 'The document that an exported state belongs to.', type: 'string' },
    },
    additionalProperties: false,
  })
}

function list(description: string, items: JsonSchema): JsonSchema {
  return { description, type: 'array', items }
}

/** Instead of naming its category by id, a pet may bring it along. */
function petEntry(pet: JsonSchema, newCategory: JsonSchema): JsonSchema {
  const { properties, required, ...rest } = pet as { properties: JsonSchema; required: readonly string[] }
  const category = {
    ...newCategory,
    title: 'Category',
    description: 'The category itself, instead of its id. Pets that describe the same name share one.',
  }
  return {
    ...rest,
    properties: { ...properties, category },
    required: required.filter((name) => name !== 'categoryId'),
    // Each names its field twice because Ajv, when strict, wants a required property declared beside.
    oneOf: ['categoryId', 'category'].map((name) => ({ properties: { [name]: true }, required: [name] })),
  }
}

/** An object of the document, its parts put together. It is closed, as the loader is: a typo must be loud. */
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

/** The first sentence. What else the document says is about requests, such as that no field of an order is required. */
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
    // The reader takes no count that a double would round.
    ...(type === 'integer' && { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  }
}

function resolve(source: Source, schemas: Sources): Source {
  const unknown = Object.keys(source).find((keyword) => !KNOWN.includes(keyword))
  if (unknown !== undefined) throw new Error(`the fixture schema does not carry over the keyword ${unknown} yet`)
  if (source.$ref === undefined) return source
  const found = schemas[source.$ref.slice('#/components/schemas/'.length)]
  if (found === undefined) throw new Error(`the document refers to ${source.$ref}, which it does not have`)
  return resolve(found, schemas)
}

/** JSON as the formatter has it: a list of plain values on one line. */
function format(schema: JsonSchema): string {
  const text = JSON.stringify(schema, (_, value) => (typeof value === 'bigint' ? `${value}n` : value), 2)
  return `${text
    .replace(/"(-?\d+)n"/g, '$1')
    .replace(/\[[^[\]{}]*\]/g, (plain) =>
      plain.replace(/\s*\n\s*/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim()),
    )}\n`
}
