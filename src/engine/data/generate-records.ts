import type { Contract } from '../../document/contract/contract.js'
import { type Check, conforms } from '../../document/sample/conforms.js'
import { isValid } from '../../document/sample/fit-value.js'
import { draw } from '../../document/sample/formats.js'
import type { SamplePath } from '../../document/sample/run.js'
import { createSampler } from '../../document/sample/sample.js'
import { createPatternReader, readPattern } from '../../document/sample/sample-pattern.js'
import { isScalar, propertiesIn, requiredIn } from '../../document/schema/facts.js'
import type { AnySchema } from '../../document/schema/json-schema.js'
import type { Schema } from '../../document/schema/schema.js'
import { once } from '../../lib/functions.js'
import type { Id } from '../../lib/int64.js'
import { createRandom, type RandomSource } from '../../lib/random.js'
import type { Steps } from '../../lib/steps.js'
import type { Json } from '../../lib/values.js'
import { linkFields, parentFields } from '../resources/parents.js'
import { readIdOf, toReference } from '../resources/record-forms.js'
import { resourcesStoredIn, type ServiceResource } from '../resources/service-resource.js'
import type { AnyFixture } from './format.js'
import { countRecords, findParent, hasRecords } from './record-counts.js'
import type { ImpossibleField, OnProgress, Sizes } from './scenarios.js'

/** Values that do not come from the schema of a record. Undefined where the schema decides. */
export interface FixedValues {
  /** Its id, and those of its parents. */
  readonly own: FixedValue
  /** References as well. */
  readonly all: FixedValue
}

/** A record, or how it is impossible if none was found that conforms. */
export type MadeRecord = { readonly record: Json } | { readonly impossible: ImpossibleField }

type FixedValue = (path: SamplePath, schema: AnySchema) => unknown

/** About how many optional values a record has: enough to show what there is. */
const BUDGET = 60

/** Of the quick check of a record. */
const MAX_STEPS = 10_000

/** How many properties of a record are repaired. */
const MAX_REPAIRS = 20

/** For samples that differ from the first. */
const SALTS = Array.from({ length: 30 }, (_, number) => `/${number}`)

/** Makes records that conform to the schema of their resource. */
function createRecordMaker(contract: Contract, seed: number) {
  let random: RandomSource = () => 0
  const sampler = createSampler(() => random())
  const patternOf = createPatternReader()
  /** The first attempt that is worth making for a resource: where one has failed, it will most likely fail again. */
  const firstAttempts = new Map<string, number>()

  return (resource: ServiceResource, index: number, fixed: FixedValues): MadeRecord => {
    const { name, noun, record: place, fields, idPath } = resource
    const known = new Set(fields.map(({ property }) => property))
    const violationOf = (record: Json) => contract.violationsOf(place.pointer, record)[0]

    /** Compiling a validator takes longer than making the records: it is done only where the quick check is not sure. */
    function isValid(record: Json): boolean {
      const check: Check = { left: MAX_STEPS, hidden: 'writeOnly', patternOf }
      const isFine = conforms(place.schema as AnySchema, record, check) && !check.isUnsure
      return isFine || violationOf(record) === undefined
    }

    function sample(isVaried: boolean, override = fixed.all, salt = ''): Json {
      random = createRandom(seed, `${name}/${index}${salt}`)
      const made = sampler.sample(place.schema as AnySchema, { noun, isVaried, override, budget: BUDGET })
      // What else the schema allows is not stored.
      return Object.fromEntries(Object.entries(Object(made)).filter(([property]) => known.has(property)))
    }

    /** Where a record has its id at all, the store needs it. */
    const hasId = (record: Json) => !known.has(idPath[0]) || readIdOf(resource, record) !== undefined

    /** The record with the other one's values for properties that violate the schema, or without them. */
    function repair(record: Json, other: Json): Json {
      const repaired = { ...record }
      for (let count = 0; count < MAX_REPAIRS; count++) {
        const property = violationOf(repaired)?.pointer.split('/')[1]
        if (property === undefined) break
        if (other[property] === undefined || other[property] === repaired[property]) delete repaired[property]
        else repaired[property] = other[property]
      }
      return repaired
    }

    const attempts: readonly (() => Json)[] = [
      () => sample(true),
      () => repair(sample(true), sample(false)),
      () => sample(false),
      () => repair(sample(false), sample(false, fixed.own)),
      () => onlyRequired(sample(false, fixed.own), resource),
      // Others of several choices: one may have no id.
      ...SALTS.map((salt) => () => sample(false, fixed.all, salt)),
    ]
    const first = firstAttempts.get(name) ?? 0
    for (const [number, attempt] of [...attempts.entries()].slice(first)) {
      const record = attempt()
      if (!isValid(record) || !hasId(record)) continue
      firstAttempts.set(name, Math.min(number, attempts.length - SALTS.length))
      return { record }
    }
    const missing = { pointer: `/${idPath.join('/')}`, expected: 'the id' }
    const { pointer, expected } = violationOf(sample(false)) ?? missing
    return { impossible: { resource: name, schema: place.pointer, pointer, expected } }
  }
}

function onlyRequired(record: Json, { record: { schema }, idPath }: ServiceResource): Json {
  const required = requiredIn(schema)
  return Object.fromEntries(
    Object.entries(record).filter(([property]) => required.has(property) || property === idPath[0]),
  )
}

/** A parameter of a path, as the operations of a resource declare it. */
interface DeclaredParameter {
  readonly name: string
  readonly in: string
  readonly schema?: AnySchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown } | undefined>>
}

/** A parameter of the path of a resource, as each of its operations declares it. */
function findParameters(contract: Contract, { operations }: ServiceResource, name: string): DeclaredParameter[] {
  return Object.values(operations).flatMap((operation) => {
    const declared = contract.declaredParameters(operation.operationId) as readonly DeclaredParameter[]
    return declared.filter((parameter) => parameter.in === 'path' && parameter.name === name)
  })
}

/** How many steps the check of an example may take. */
const MAX_PATH_STEPS = 1000

function createPathIds(contract: Contract): PathIds {
  const parametersOf = (resource: ServiceResource) =>
    resource.id.parameter === undefined ? [] : findParameters(contract, resource, resource.id.parameter)

  return {
    /** None where clients choose ids: the document's example of a request to create a record would be a conflict. */
    examples(resource, idSchema) {
      const { id, ids, operations } = resource
      if (id.isChosen && operations.create) return []
      return [...parametersOf(resource).flatMap(examplesOf), ...(id.examples ?? [])].flatMap((example) => {
        const read = ids.read(example) ?? ids.read(String(example))
        if (read === undefined) return []
        const value = toReference(ids.toJson(read), idSchema)
        const check = { left: MAX_PATH_STEPS, hidden: 'writeOnly', patternOf: readPattern } as const
        return conforms(idSchema as AnySchema, value, check) ? [read] : []
      })
    },
    listed: (resource) =>
      parametersOf(resource).flatMap(({ schema }) =>
        typeof schema === 'object' && schema.enum ? [schema.enum] : [],
      )[0],
  }
}

function examplesOf({ example, examples, schema }: DeclaredParameter): unknown[] {
  const inSchema = typeof schema === 'object' ? [schema.example, schema.examples].flat() : []
  const named = Object.values(examples ?? {}).map((each) => each?.value)
  return [example, ...named, ...inSchema].filter((value) => value !== undefined)
}

/** The ids of the records of a resource, before there are any, so that every record can refer to every other. */
export interface RecordPlan {
  readonly resource: ServiceResource
  readonly ids: readonly Id[]
  /** The ids of the parents of a record, as its path has them: outermost first. */
  parentsOf(index: number): readonly unknown[]
  /** Where a record keeps the ids of the parents of other lists, in which nothing can be created. */
  besideOf(index: number): object
}

/** Parents whose records are unknown: a value for a path parameter. */
export type MakeParameter = (resource: ServiceResource, parameter: string) => unknown

/** What the document says about the ids in paths. */
export interface PathIds {
  examples(resource: ServiceResource, idSchema: Schema): readonly Id[]
  /** The only ones that a path takes, if it lists them. */
  listed(resource: ServiceResource): readonly unknown[] | undefined
}

/** A list below parents in which nothing can be created: it would always be empty. */
const isListOfOthers = ({ name, storedIn, operations }: ServiceResource) =>
  name !== storedIn && operations.list !== undefined && operations.create === undefined

/** Plans so many records of each resource. */
function planRecords(
  all: readonly ServiceResource[],
  resources: ReadonlyMap<string, ServiceResource>,
  counts: ReadonlyMap<string, number>,
  makeParameter: MakeParameter,
  pathIds: PathIds,
): ReadonlyMap<string, RecordPlan> {
  const plans = new Map<string, RecordPlan>()

  function plan(resource: ServiceResource): RecordPlan {
    const known = plans.get(resource.name)
    if (known) return known
    // Later: tags may have a list of tasks, and tasks one of tags.
    const lists = once(() => resourcesStoredIn(all, resource.name).filter(isListOfOthers).map(planParents))
    const created: RecordPlan = {
      resource,
      ids: takeIds(resource, counts.get(resource.name) ?? 0, pathIds),
      parentsOf: planParents(resource).parentsOf,
      besideOf: (index) => Object.assign({}, ...lists().map((list) => list.besideOf(resource, index))),
    }
    plans.set(resource.name, created)
    return created
  }

  function planParents(resource: ServiceResource) {
    const position = findParent(resource, resources)
    const outer = resources.get(resource.parents[position]?.resource ?? '')
    const parent = outer && plan(outer)
    const made = resource.parents.map(({ parameter }, level) =>
      // A parent of the parent is known as well.
      level === position ? undefined : makeParameter(resource, parameter),
    )

    function parentsOf(index: number): readonly unknown[] {
      if (parent === undefined || parent.ids.length === 0) return made
      // One after the other, so that each parent has about as many.
      const at = index % parent.ids.length
      const outer = parent.parentsOf(at)
      const id = parent.resource.ids.toJson(parent.ids[at] as Id)
      return made.map((value, level) => (level === position ? id : level < position ? (outer[level] ?? value) : value))
    }

    return {
      parentsOf,
      besideOf(stored: ServiceResource, index: number): object {
        const ids = parentsOf(index)
        const members = parentFields(resource).flatMap(({ stored: at, field }, level) => {
          const member = field ? undefined : stored.unsent.find((each) => each.stored === at)?.member
          return member === undefined || ids[level] === undefined ? [] : [[member, String(ids[level])]]
        })
        return Object.fromEntries(members)
      },
    }
  }

  for (const resource of resources.values()) plan(resource)
  return plans
}

function takeIds(resource: ServiceResource, count: number, pathIds: PathIds): Id[] {
  const { ids, idPath, record } = resource
  const schema = idPath.reduce<Schema>((outer, name) => propertiesIn(outer).get(name) ?? {}, record.schema)
  const listed = (schema.enum ?? pathIds.listed(resource) ?? []).flatMap((value) => ids.read(value) ?? [])
  if (listed.length > 0) return [...new Set(listed)].slice(0, count)
  const sequence = ids.createSequence({ size: 0, has: () => false, largest: () => undefined })
  const examples = [...new Set(pathIds.examples(resource, schema))].slice(0, count)
  for (const id of examples) sequence.choose(id)
  return [...examples, ...Array.from({ length: count - examples.length }, () => sequence.take())]
}

export interface GeneratedRecords {
  readonly fixture: AnyFixture
  readonly impossible: readonly ImpossibleField[]
}

/** How many records are generated between two reports of progress. */
const PROGRESS_STEP = 2000

interface Wanted {
  readonly seed: number
  readonly sizes: Sizes
  readonly onProgress?: OnProgress | undefined
}

/** Generates records of all resources from their schemas. Equal arguments give equal data on every machine. */
export function* generateRecords(
  all: readonly ServiceResource[],
  contract: Contract,
  wanted: Wanted,
): Steps<GeneratedRecords> {
  const { seed, sizes, onProgress } = wanted
  const resources = new Map(all.filter(hasRecords).map((resource) => [resource.name, resource]))
  const plans = planRecords(
    all,
    resources,
    countRecords(all, sizes),
    createParameters(contract, seed),
    createPathIds(contract),
  )
  const makeRecord = createRecordMaker(contract, seed)
  const fixture: Record<string, object[]> = Object.fromEntries([...plans.keys()].map((name) => [name, []]))
  const impossible: ImpossibleField[] = []
  const total = [...plans.values()].reduce((sum, { ids }) => sum + ids.length, 0)
  let done = 0
  // The first of every resource first: they show what is impossible.
  for (let index = 0; done < total && impossible.length === 0; index++) {
    for (const plan of plans.values()) {
      const { resource, ids } = plan
      if (index >= ids.length) continue
      yield
      done += 1
      if (done % PROGRESS_STEP === 0 || done === total) onProgress?.(done, total)
      const made = makeRecord(resource, index, fixedValues(plan, index, plans, seed))
      if ('impossible' in made) impossible.push(made.impossible)
      else
        fixture[resource.name]?.push({
          ...made.record,
          ...unsentValues(plan, index),
          ...heldValues(plan, index, plans),
        })
    }
  }
  if (impossible.length === 0) return { fixture, impossible }

  // Others may refer to what does not exist.
  const names = new Set(impossible.map(({ resource }) => resource))
  const possible = all.filter(({ storedIn }) => !names.has(storedIn))
  const others = yield* generateRecords(possible, contract, wanted)
  return { fixture: others.fixture, impossible: [...impossible, ...others.impossible] }
}

/** The id of a record, those of its parents, and the ids of other records that it refers to. */
function fixedValues(
  { resource, ids, parentsOf }: RecordPlan,
  index: number,
  plans: ReadonlyMap<string, RecordPlan>,
  seed: number,
): FixedValues {
  const { idPath } = resource
  const random = createRandom(seed, `${resource.name}/${index}/references`)
  const parents = parentsOf(index)
  const byProperty = new Map(
    resource.parents.flatMap(({ property }, level) => (property === undefined ? [] : [[property, parents[level]]])),
  )
  const isAtId = (path: SamplePath) => path.length === idPath.length && path.every((name, at) => name === idPath[at])

  function own(path: SamplePath, schema: AnySchema): unknown {
    if (isAtId(path)) return toReference(resource.ids.toJson(ids[index] as never), schema as never)
    const [property] = path
    const held = path.length === 2 && resource.parents.findIndex(({ holder }) => holder?.join() === path.join())
    if (held !== false && held >= 0) return toReference(parents[held], schema as never)
    if (path.length !== 1) return undefined
    const parent = byProperty.get(property as string)
    if (parent !== undefined) return toReference(parent, schema as never)
    const values = resource.list?.filters.find((filter) => filter.property === property)?.values ?? []
    const possible = values.filter((value) => isValid(schema as never, value))
    return possible.length > 0 ? draw(random, possible) : undefined
  }

  return {
    own,
    all(path, schema) {
      const fixed = own(path, schema)
      if (fixed !== undefined || typeof schema === 'boolean' || !isIdIn(resource, path, schema, plans)) return fixed
      const [property = '', position] = path
      const target = plans.get(targetOf(resource, property as string) ?? '')
      if (target === undefined || target.ids.length === 0) return fixed
      // A list has each once.
      const chosen =
        typeof position === 'number' ? target.ids[(index + position) % target.ids.length] : draw(random, target.ids)
      return toReference(target.resource.ids.toJson(chosen as Id), schema as never)
    },
  }
}

const targetOf = ({ references, embedded, links = {} }: ServiceResource, property: string) =>
  references[property] ?? links[property] ?? embedded[property]

/** Whether a path leads to the id of another record: a property, the id in an object, or one of these in a list. */
function isIdIn(
  resource: ServiceResource,
  path: SamplePath,
  schema: object,
  plans: ReadonlyMap<string, RecordPlan>,
): boolean {
  const [property, ...inside] = path
  if (inside.length === 0) return Object.hasOwn(resource.references, property as string)
  const target = plans.get(targetOf(resource, property as string) ?? '')?.resource
  const inner = typeof inside[0] === 'number' ? inside.slice(1) : inside
  if (inner.length === 0)
    return target !== undefined && isScalar(schema) && Object.hasOwn(resource.links ?? {}, property as string)
  return inner.length === 1 && inner[0] === target?.idPath[0] && target?.idPath.length === 1
}

/** What records hold beside their properties: each about two others. */
function heldValues({ resource }: RecordPlan, index: number, plans: ReadonlyMap<string, RecordPlan>): object {
  const held = linkFields(resource).flatMap(({ stored, held: name, field }) => {
    const ids = plans.get(name)?.ids ?? []
    const member = resource.unsent.find((each) => each.stored === stored)?.member
    if (field || member === undefined || ids.length === 0) return []
    const chosen = [ids[index % ids.length], ids[(index + 1) % ids.length]]
    return [[member, [...new Set(chosen)]]]
  })
  return Object.fromEntries(held)
}

function unsentValues({ resource, ids, parentsOf, besideOf }: RecordPlan, index: number): object {
  const parents = parentsOf(index)
  const values = resource.unsent.flatMap(({ member, kind, level }) => {
    if (kind === 'id') return [[member, ids[index]]]
    return level === undefined ? [] : [[member, String(parents[level])]]
  })
  return { ...besideOf(index), ...Object.fromEntries(values) }
}

/** Values for path parameters without a resource to take them from: the document's examples, if it has any. */
function createParameters(contract: Contract, seed: number) {
  return (resource: ServiceResource, parameter: string): unknown => {
    const { schema = {}, example } = findParameters(contract, resource, parameter)[0] ?? {}
    if (example !== undefined) return example
    const { sample } = createSampler(createRandom(seed, `parameter/${parameter}`))
    const values = sample({ type: 'object', properties: { [parameter]: schema }, required: [parameter] })
    return (values as Record<string, unknown>)[parameter]
  }
}
