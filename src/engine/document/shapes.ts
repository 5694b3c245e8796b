import { isObject } from '../../lib/plain-object.js'
import { resolvePointer } from '../contract/pointer.js'
import { type Path, toPointer } from './walk.js'

/** What a member of an object holds. */
type Member = readonly [form: 'one' | 'map' | 'list', shape: ShapeName] | 'text'

/** The objects of a document that the mock reads, and those of their members that must have the right form. */
const SHAPES = {
  document: { info: ['one', 'any'], paths: ['map', 'path'], components: ['one', 'components'] },
  components: {
    schemas: ['map', 'schema'],
    parameters: ['map', 'parameter'],
    responses: ['map', 'response'],
    requestBodies: ['map', 'body'],
    headers: ['map', 'header'],
    securitySchemes: ['map', 'any'],
  },
  path: {
    parameters: ['list', 'parameter'],
    ...Object.fromEntries(
      ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'].map((method) => [
        method,
        ['one', 'operation'] as const,
      ]),
    ),
  },
  operation: { parameters: ['list', 'parameter'], requestBody: ['one', 'body'], responses: ['map', 'response'] },
  parameter: { name: 'text', in: 'text', schema: ['one', 'schema'], content: ['map', 'media'] },
  body: { content: ['map', 'media'] },
  response: { content: ['map', 'media'], headers: ['map', 'header'] },
  header: { schema: ['one', 'schema'], content: ['map', 'media'] },
  media: { schema: ['one', 'schema'], encoding: ['map', 'any'] },
  schema: {
    ...members(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'], 'one'),
    ...members(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'], 'map'),
    ...members(['allOf', 'anyOf', 'oneOf', 'prefixItems'], 'list'),
  },
  any: {},
} as const satisfies Record<string, Readonly<Record<string, unknown>>>

type ShapeName =
  | 'document'
  | 'components'
  | 'path'
  | 'operation'
  | 'parameter'
  | 'body'
  | 'response'
  | 'header'
  | 'media'
  | 'schema'
  | 'any'

function members(keys: readonly string[], form: 'one' | 'map' | 'list'): Record<string, Member> {
  return Object.fromEntries(keys.map((key) => [key, [form, 'schema'] as const]))
}

const MEMBERS = new Map(Object.entries(SHAPES).map(([shape, inside]) => [shape, Object.entries<Member>(inside)]))

interface Visit {
  readonly value: unknown
  readonly path: Path
  readonly shape: ShapeName
}

/** Parts of a document that are of another type than the mock needs, each a sentence that starts with a JSON pointer. */
export function findWrongShapes(document: object): string[] {
  const problems: string[] = []
  const seen = new Map<object, Set<ShapeName>>()
  const waiting: Visit[] = [{ value: document, path: { key: '', parent: undefined }, shape: 'document' }]
  const expect = (path: Path, what: string) => problems.push(`${toPointer(path)} must be ${what}.`)

  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const { path, shape } = visit
    const { value } = visit
    if (shape === 'schema' && typeof value === 'boolean') continue
    if (!isObject(value)) {
      expect(path, 'an object')
      continue
    }
    const shapes = seen.get(value) ?? new Set()
    if (shapes.has(shape)) continue
    seen.set(value, shapes.add(shape))
    if (typeof value.$ref === 'string') {
      waiting.push({ value: resolvePointer(document, value.$ref) ?? {}, path, shape })
      continue
    }
    for (const [key, member] of MEMBERS.get(shape) ?? []) {
      const child = value[key]
      if (member === 'text') {
        if (typeof child !== 'string') expect({ key, parent: path }, 'a string')
      } else if (child !== undefined && child !== null) visitMember(child, { key, parent: path }, member)
    }
  }
  return problems

  function visitMember(child: unknown, path: Path, [form, shape]: Exclude<Member, 'text'>): void {
    if (form === 'one') waiting.push({ value: child, path, shape })
    else if (form === 'list' ? !Array.isArray(child) : !isObject(child)) {
      expect(path, form === 'list' ? 'a list' : 'an object')
    } else {
      for (const [key, value] of Object.entries(child as object)) {
        if (form === 'map' && key.startsWith('x-')) continue
        waiting.push({ value, path: { key, parent: path }, shape })
      }
    }
  }
}
