import { parseId, toJsonInt64 } from '../../lib/int64.js'
import { parseJson } from '../../lib/json.js'
import { findExcess } from '../../lib/json-in-steps.js'
import { setMember } from '../../lib/values.js'
import { itemsOf, propertiesForText, typesForText } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'

/** Text, or lists and objects of it, as parameters and forms have them. */
export type TextTree = string | readonly TextTree[] | TextObject | Converted
export interface TextObject {
  readonly [name: string]: TextTree
}

/** A value in a tree that needs no conversion: a file, or a part of a form that is JSON. */
export class Converted {
  constructor(readonly value: unknown) {}

  valueFor(_schema: Schema): unknown {
    return this.value
  }
}

/** A file is an object, but a text where the document says so. */
export class ConvertedFile extends Converted {
  readonly #toText: () => string

  constructor(value: object, toText: () => string) {
    super(value)
    this.#toText = toText
  }

  override valueFor(schema: Schema): unknown {
    const types = typesForText(schema)
    const isFile = schema.format === 'binary' || schema.contentMediaType !== undefined
    return types.has('string') && !types.has('object') && !isFile ? this.#toText() : this.value
  }
}

/** Of lists in lists. A text can be a list with itself in it, without end, if the items of the list are such lists as well. */
const MAX_DEPTH = 30

/**
 * Converts text to the types of a schema, also inside of lists and objects. What cannot be converted stays as it is, and
 * validation rejects it.
 */
export function convertTree(tree: TextTree, schema: Schema, depth = 0): unknown {
  const types = typesForText(schema)
  const isEndless = depth > MAX_DEPTH
  if (tree instanceof ConvertedFile && types.has('array')) return [tree.valueFor(itemsOf(schema) ?? {})]
  if (tree instanceof Converted) return tree.valueFor(schema)
  if (types.has('array') && !isEndless)
    return toList(tree).map((item) => convertTree(item, itemsOf(schema) ?? {}, depth + 1))
  if (typeof tree === 'string')
    return types.has('object') && !types.has('string') ? readJson(tree) : convertText(tree, types)
  if (isList(tree)) return tree.map((item) => convertTree(item, {}, depth + 1))
  const properties = propertiesForText(schema)
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
  const converted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(tree)) {
    const property = Object.hasOwn(properties, name) ? (properties[name] as Schema) : others
    setMember(converted, name, convertTree(value, property, depth + 1))
  }
  return converted
}

/** The numbers in `ids[0]=a&ids[1]=b` are the places in a list. */
function toList(tree: TextTree): readonly TextTree[] {
  if (isList(tree)) return tree
  const isIndexed = typeof tree === 'object' && Object.keys(tree).every((key) => /^\d+$/.test(key))
  return isIndexed ? Object.values(tree) : [tree]
}

const isList = (tree: TextTree): tree is readonly TextTree[] => Array.isArray(tree)

function convertText(text: string, types: ReadonlySet<string>): unknown {
  if (types.has('int64')) {
    const id = parseId(text)
    if (id !== undefined) return toJsonInt64(id)
  }
  if (types.has('integer') && parseId(text) !== undefined && Number.isSafeInteger(Number(text))) return Number(text)
  if (types.has('number') && NUMBER.test(text)) return Number(text)
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNull = types.has('null') && !types.has('string') && (text === '' || text === 'null')
  return isNull ? null : text
}

/** The default of a schema. A client that sends nothing must not be refused for a wrong one: `"100"` for 100, or null for a text. */
export function defaultOf(schema: Schema): unknown {
  const value = typeof schema.default === 'string' ? convertTree(schema.default, schema) : schema.default
  const { enum: listed, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  const types = typesForText(schema)
  const hasType = types.size === 0 || namesOf(value).some((name) => types.has(name))
  const isListed = listed === undefined || typeof value === 'object' || listed.includes(value)
  const isInRange = typeof value !== 'number' || (value >= minimum && value <= maximum)
  return hasType && isListed && isInRange ? value : undefined
}

/** The types that a value has. */
function namesOf(value: unknown): readonly string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'bigint' || Number.isInteger(value)) return ['int64', 'integer', 'number']
  return [typeof value]
}

/** Of JSON in a parameter or in a part of a form, for which there are no options. */
const LIMITS = { maxJsonDepth: 64, maxJsonValues: 10_000 }

/** JSON, or the text if it is none, or too much. */
export function readJson(text: string): unknown {
  try {
    return findExcess(text, LIMITS) === undefined ? parseJson(text) : text
  } catch {
    return text
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/
