import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { generateSchemas } from '../../scripts/schemas.js'
import { MockError } from '../../src/http/errors.js'
import type { PartialFixture } from '../../src/index.js'
import { createPetstore } from '../../src/index.js'
import { parseJson } from '../../src/lib/json.js'
import { parseDateTime } from '../../src/lib/time.js'

const root = new URL('../../', import.meta.url)
const schema: object = JSON.parse(readFileSync(new URL('spec/fixture.schema.json', root), 'utf8'))
const files = readdirSync(new URL('fixtures', root)).filter((file) => file.endsWith('.json'))

const ajv = new Ajv({ strict: true, allErrors: true })
ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)
const validate = ajv.compile(schema)

/** Validates as an editor does: plain JSON with rounded numbers. */
function schemaAccepts(text: string): boolean {
  return validate(JSON.parse(text))
}

/** The rules are off because the schema does not cover references and invariants. */
function loaderAccepts(text: string): boolean {
  try {
    createPetstore({ rules: 'off', fixtures: parseJson(text) as PartialFixture })
    return true
  } catch (error) {
    if (error instanceof MockError && error.code === 'INVALID_FIXTURE') return false
    throw error
  }
}

const category = (member: string) => `{ "categories": [{ ${member} }] }`
const pet = (members: string) => `{ "pets": [{ "id": 1, "name": "Rex", ${members} }] }`
const petId = (id: string) => `{ "pets": [{ "id": ${id}, "name": "Rex", "categoryId": 1 }] }`
const entry = (members: string) =>
  `{ "pets": [{ "id": 1, "name": "Rex", "categoryId": 1 }], "inventory": [{ ${members} }] }`
const order = (members: string) => `{ "orders": [{ ${members} }] }`

// Kept as text, because an id beyond 2^53 would be rounded in an object.
const ACCEPTED: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'the additional fields of an exported state':
    '{ "nextIds": { "pets": 7, "orders": "9223372036854775807" }, "specHash": "a" }',
  'a category without a description': category('"id": 1, "name": ""'),
  'a pet by category id': pet('"categoryId": 1'),
  'a pet with its category': pet('"category": { "name": "Dogs" }'),
  'an id written with a fraction of zero': petId('1.0'),
  'an id beyond 2^53': petId('9007199254740993'),
  'the largest id': petId('9223372036854775807'),
  'the smallest id': petId('-9223372036854775808'),
  'an id in digits': petId('"42"'),
  'an entry': entry('"petId": 1, "quantity": 0, "status": "sold"'),
  'the largest stock': entry('"petId": 1, "quantity": 9007199254740991, "status": "available"'),
  'an order by its id alone': order('"id": 1'),
  'a full order': order('"id": 1, "petId": "2", "quantity": 1, "shipDate": "2026-02-03T09:30:00Z", "complete": true'),
  'a date with an offset': order('"id": 1, "shipDate": "2026-02-03t09:30:00.5-03:30"'),
}

const REJECTED: Readonly<Record<string, string>> = {
  'no object': 'null',
  'a list': '[]',
  'a misspelled list': '{ "pet": [] }',
  'a next id of 0': '{ "nextIds": { "pets": 0 } }',
  'a next id with a sign': '{ "nextIds": { "pets": "-1" } }',
  'a hash that is not a string': '{ "specHash": 1 }',
  'a name of the prototype': '{ "__proto__": [] }',
  'a description that is not a string': '{ "description": 1 }',
  'a $schema that is not a string': '{ "$schema": {} }',
  'categories of null': '{ "categories": null }',
  'a category without a name': category('"id": 1'),
  'a pet without a category': pet('"status": "sold"'),
  'a pet with a category and its id': pet('"categoryId": 1, "category": { "name": "Dogs" }'),
  'a pet with a category of null': pet('"category": null'),
  'a pet with a category by name': pet('"category": "Dogs"'),
  'a pet with a category without a name': pet('"category": { "description": "They bark." }'),
  'a pet with an unknown field': pet('"categoryId": 1, "tags": []'),
  'a pet with a category with an unknown field': pet('"category": { "name": "Dogs", "more": 1 }'),
  'an unknown status': pet('"categoryId": 1, "status": "lost"'),
  'half an id': petId('1.5'),
  'an id far out of range': petId('1e20'),
  'an id with a leading zero': petId('"007"'),
  'an entry without a quantity': entry('"petId": 1, "status": "available"'),
  'a stock that a double would round': entry('"petId": 1, "quantity": 9007199254740992, "status": "available"'),
  'an order with a quantity that a double would round': order('"id": 1, "quantity": -9007199254740993'),
  'an order with a date without a time': order('"id": 1, "shipDate": "2026-02-03"'),
  'an order with a date that does not exist': order('"id": 1, "shipDate": "2026-02-30T00:00:00Z"'),
  'an order with a word for complete': order('"id": 1, "complete": "true"'),
}

/** Just past the range: a double cannot tell the number from the largest id, and the pattern counts digits only. */
const LEFT_TO_THE_LOADER: Readonly<Record<string, string>> = {
  'the id after the largest': petId('9223372036854775808'),
  'the id before the smallest': petId('-9223372036854775809'),
  'the id after the largest in digits': petId('"9223372036854775808"'),
}

it.each(files)('accepts fixtures/%s', (file) => {
  expect(schemaAccepts(readFileSync(new URL(`fixtures/${file}`, root), 'utf8')), ajv.errorsText(validate.errors)).toBe(
    true,
  )
})

it.each(Object.entries(ACCEPTED))('accepts %s, as the loader does', (_, text) => {
  expect({ schema: schemaAccepts(text), loader: loaderAccepts(text) }).toEqual({ schema: true, loader: true })
})

it.each(Object.entries(REJECTED))('rejects %s, as the loader does', (_, text) => {
  expect({ schema: schemaAccepts(text), loader: loaderAccepts(text) }).toEqual({ schema: false, loader: false })
})

it.each(Object.entries(LEFT_TO_THE_LOADER))('leaves it to the loader to reject %s', (_, text) => {
  expect({ schema: schemaAccepts(text), loader: loaderAccepts(text) }).toEqual({ schema: true, loader: false })
})

it('has the description of every field from the OpenAPI document', () => {
  const undescribed: string[] = []
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return
    const {
      properties = {},
      items,
      description,
    } = node as { properties?: object; items?: unknown; description?: string }
    if (!description) undescribed.push(at)
    for (const [name, value] of Object.entries(properties)) visit(value, `${at}/${name}`)
    if (items !== undefined) visit(items, `${at}/*`)
  }
  visit(schema, '')
  expect(undescribed).toEqual([])
})

it.each([...generateSchemas()])('%s is up to date', (path, text) => {
  const isUpToDate = readFileSync(new URL(path, root), 'utf8') === text
  expect(isUpToDate, `${path} is out of date: run \`npm run generate\``).toBe(true)
})

it('writes the ends of the id range digit for digit', () => {
  const text = readFileSync(new URL('spec/fixture.schema.json', root), 'utf8')
  expect(text).toContain('"minimum": -9223372036854775808')
  expect(text).toContain('"maximum": 9223372036854775807')
})
