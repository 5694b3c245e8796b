import type { RequestHeaders } from '../../http/messages.js'
import type { QueryValues } from '../../http/target.js'
import { decodePercent } from '../../lib/text.js'
import { isPlainObject, ownMember, setMember } from '../../lib/values.js'
import { propertiesForText, typesForText } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import {
  type DocumentParameter,
  type ParameterReader,
  type Parameters,
  pathParametersOf,
  requireOnce,
  schemaOfParameter,
  textOfSegment,
} from './parameters.js'
import { convertTree, defaultOf, readJson, type TextTree } from './text-values.js'

type Branch = Record<string, unknown>

/**
 * Makes objects and lists of names with brackets: `a[b][c]=1` is `{ a: { b: { c: '1' } } }`, and `a[]=1&a[]=2` or `a=1&a=2`
 * a list.
 */
export function nestByBrackets(entries: Iterable<readonly [string, readonly unknown[]]>): Record<string, TextTree> {
  const root: Branch = {}
  for (const [name, values] of entries) add(root, pathOf(name), values)
  return root as Record<string, TextTree>
}

/** `a[b][]` is `['a', 'b', '']`. A name with brackets that do not match is one part. */
function pathOf(name: string): string[] {
  const [, start, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  if (start === undefined) return [name]
  return [start, ...rest.slice(1, -1).split('][')].slice(0, MAX_PARTS)
}

/** Deeper names would make deeper objects than anything can use. */
const MAX_PARTS = 20

function add(root: Branch, path: readonly string[], values: readonly unknown[]): void {
  const isList = path.at(-1) === ''
  const names = isList ? path.slice(0, -1) : path
  let node = root
  for (const name of names.slice(0, -1)) {
    const next = own(node, name)
    if (!isPlainObject(next)) setMember<unknown>(node, name, {})
    node = own(node, name) as Branch
  }
  const last = names.at(-1) as string
  const known = own(node, last)
  const all = known === undefined ? values : [known, ...values].flat()
  setMember<unknown>(node, last, isList || all.length > 1 ? all : all[0])
}

const own = (node: Branch, name: string) => (Object.hasOwn(node, name) ? node[name] : undefined)

type Values = Record<string, unknown>

/** Reads the parameters of an operation in all styles of OpenAPI, from everywhere in a request. */
export function compileParameterReader(path: string, declared: readonly DocumentParameter[]): ParameterReader {
  const inPath = pathParametersOf(path, declared)
  const [inQuery, inHeader, inCookie] = (['query', 'header', 'cookie'] as const).map((place) =>
    declared.filter((parameter) => parameter.in === place),
  ) as [DocumentParameter[], DocumentParameter[], DocumentParameter[]]
  return (segments, query, headers, keepUndeclared): Parameters => {
    const pathValues: Values = Object.create(null)
    for (const parameter of inPath)
      setMember<unknown>(pathValues, parameter.name, readSegment(parameter, textOfSegment(parameter, segments)))
    return {
      path: pathValues,
      query: readQuery(inQuery, query, keepUndeclared),
      ...(inHeader.length > 0 && { header: readHeaders(inHeader, headers) }),
      ...(inCookie.length > 0 && { cookie: readQuery(inCookie, cookiesOf(headers), false) }),
    }
  }
}

function readSegment(parameter: DocumentParameter, text: string): unknown {
  const { name, style, explode = false } = parameter
  if (parameter.content) return readJson(text)
  const schema = schemaOfParameter(parameter)
  if (style === 'label') return readSimple(text.replace(/^\./, ''), schema, explode, explode ? '.' : ',')
  if (style !== 'matrix') return readSimple(text, schema, explode, ',')
  const pairs = text.replace(/^;/, '').split(';')
  if (explode && typesForText(schema).has('object')) return readSimple(pairs.join(','), schema, true, ',')
  const values = pairs.map((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : pair))
  return readSimple(values.join(','), schema, false, ',')
}

/** `a,b` is a list, and `key,value` or, exploded, `key=value` an object, if the schema asks for one. */
function readSimple(text: string, schema: Schema, explode: boolean, separator: string): unknown {
  const types = typesForText(schema)
  if (types.has('array')) return convertTree(text === '' ? [] : text.split(separator), schema)
  if (!types.has('object')) return convertTree(text, schema)
  const parts = text === '' ? [] : text.split(separator)
  const pairs = explode ? parts.map((part) => cutAt(part, '=')) : pairUp(parts)
  return convertTree(Object.fromEntries(pairs), schema)
}

function cutAt(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator)
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + separator.length)]
}

function pairUp(parts: readonly string[]): [string, string][] {
  return parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : []))
}

function readHeaders(declared: readonly DocumentParameter[], headers: RequestHeaders): Values {
  const values: Values = Object.create(null)
  for (const parameter of declared) {
    const name = parameter.name.toLowerCase()
    const text = ownMember(headers, name)
    const schema = schemaOfParameter(parameter)
    if (text === undefined) {
      addDefault(values, name, schema)
    } else {
      const value = parameter.content ? readJson(text) : readSimple(text, schema, parameter.explode ?? false, ',')
      setMember<unknown>(values, name, value)
    }
  }
  return values
}

function addDefault(values: Values, name: string, schema: Schema): void {
  const value = defaultOf(schema)
  if (value !== undefined) setMember<unknown>(values, name, value)
}

function cookiesOf({ cookie = '' }: RequestHeaders): QueryValues {
  const values = new Map<string, string[]>()
  for (const pair of cookie.split(';')) {
    const [name, value] = cutAt(pair.trim(), '=')
    if (name !== '') values.set(name, [...(values.get(name) ?? []), decodePercent(value)])
  }
  return values
}

/** Of a query, or of cookies, which have the same style. */
function readQuery(declared: readonly DocumentParameter[], given: QueryValues, keepUndeclared: boolean): Values {
  const values: Values = Object.create(null)
  const used = new Set<string>()
  const names = new Set(declared.map(({ name }) => name))
  for (const parameter of declared) {
    const { tree, from } = findTree(parameter, given, names)
    for (const name of from) used.add(name)
    const schema = schemaOfParameter(parameter)
    if (tree === undefined) {
      addDefault(values, parameter.name, schema)
    } else if (!(parameter.allowEmptyValue && tree === '')) {
      setMember<unknown>(values, parameter.name, parameter.content ? readJson(String(tree)) : convertTree(tree, schema))
    }
  }
  if (keepUndeclared) for (const name of given.keys()) if (!used.has(name)) setMember<unknown>(values, name, '')
  return values
}

interface Found {
  readonly tree: TextTree | undefined
  /** The names of the query that it consists of. */
  readonly from: Iterable<string>
}

function findTree(parameter: DocumentParameter, given: QueryValues, declared: ReadonlySet<string>): Found {
  const { name, style = 'form', explode = style === 'form' } = parameter
  const types = typesForText(schemaOfParameter(parameter))
  const texts = given.get(name)
  if (types.has('object') && (style === 'deepObject' || texts === undefined)) {
    const nested = [...given].filter(([other]) => other.startsWith(`${name}[`))
    if (nested.length > 0) return { tree: nestByBrackets(nested)[name], from: nested.map(([other]) => other) }
    return explode && style === 'form' ? findMembers(parameter, given, declared) : { tree: undefined, from: [] }
  }
  if (types.has('array') && (texts === undefined || explode)) {
    const more = [...given].filter(([other]) => isListName(other, name))
    const items = [...(texts ?? []), ...more.flatMap(([, each]) => each)]
    const from = [name, ...more.map(([other]) => other)]
    return { tree: texts === undefined && more.length === 0 ? undefined : items, from }
  }
  if (texts === undefined) return { tree: undefined, from: [] }
  if (types.has('array')) return { tree: texts.flatMap((text) => text.split(SEPARATORS[style] ?? ',')), from: [name] }
  const text = requireOnce(parameter.in, name, texts)
  const isFlatObject = types.has('object') && !parameter.content
  return { tree: isFlatObject ? Object.fromEntries(pairUp(text.split(SEPARATORS[style] ?? ','))) : text, from: [name] }
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

/** Many clients write lists as `ids[]=1` or `ids[0]=1`, whatever the document says. */
const isListName = (other: string, name: string) =>
  other.startsWith(`${name}[`) && /^\[\d*\]$/.test(other.slice(name.length))

/** The members of an exploded object are parameters themselves. */
function findMembers(parameter: DocumentParameter, given: QueryValues, declared: ReadonlySet<string>): Found {
  const schema = schemaOfParameter(parameter)
  const properties = propertiesForText(schema)
  const isOpen = Boolean(schema.additionalProperties)
  const members = [...given].filter(([name]) => !declared.has(name) && (Object.hasOwn(properties, name) || isOpen))
  return { tree: members.length === 0 ? undefined : nestByBrackets(members), from: members.map(([name]) => name) }
}
