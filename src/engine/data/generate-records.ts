import { createRandom } from '../../lib/random.js'
import type { Steps } from '../../lib/steps.js'
import type { Contract } from '../contract/contract.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { unsentFields } from '../resources/unsent-fields.js'
import { isValid } from './fit-value.js'
import type { AnyFixture } from './format.js'
import { draw } from './formats.js'
import { createGivenRecords, type GivenRecords } from './given-records.js'
import type { AnySchema } from './json-schema.js'
import { createRecordMaker, type FixedValues } from './make-record.js'
import { createPathIds, findParameters } from './path-examples.js'
import { planRecords, type RecordPlan, toReference } from './plan-records.js'
import { countRecords, hasRecords } from './record-counts.js'
import { createSampler } from './sample.js'
import type { SamplePath } from './sample-run.js'
import type { ImpossibleField, OnProgress, Sizes } from './scenarios.js'

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
  /** Records that are known in part: what they have is kept where the document allows it. */
  readonly given?: AnyFixture
}

/** Generates records of all resources from their schemas. Equal arguments give equal data on every machine. */
export function* generateRecords(
  all: readonly ServiceResource[],
  contract: Contract,
  wanted: Wanted,
): Steps<GeneratedRecords> {
  const { seed, sizes, onProgress, given = {} } = wanted
  const givenRecords = new Map(all.map((resource) => [resource.name, createGivenRecords(resource, given)]))
  const givenOf = ({ name }: ServiceResource) => givenRecords.get(name) as GivenRecords
  const withRecords = all.filter((resource) => hasRecords(resource) || givenOf(resource).ids.length > 0)
  const resources = new Map(withRecords.map((resource) => [resource.name, resource]))
  const plans = planRecords(
    resources,
    countRecords(all, sizes),
    createParameters(contract, seed),
    createPathIds(contract),
    (resource) => givenOf(resource).ids,
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
      const made = makeRecord(resource, index, fixedValues(plan, index, plans, seed, givenOf(resource)))
      if ('impossible' in made) impossible.push(made.impossible)
      else
        fixture[resource.name]?.push({ ...givenOf(resource).prune(index, made.record), ...unsentValues(plan, index) })
    }
  }
  if (impossible.length === 0) return { fixture, impossible }

  // Others may refer to what does not exist.
  const names = impossible.map(({ resource }) => resource)
  const possible = all.filter(({ storedIn }) => !names.includes(storedIn))
  const others = yield* generateRecords(possible, contract, wanted)
  return { fixture: others.fixture, impossible: [...impossible, ...others.impossible] }
}

/** The id of a record, those of its parents, and the ids of other records that it refers to. */
function fixedValues(
  { resource, ids, parentsOf }: RecordPlan,
  index: number,
  plans: ReadonlyMap<string, RecordPlan>,
  seed: number,
  given: GivenRecords,
): FixedValues {
  const { idPath, references } = resource
  const random = createRandom(seed, `${resource.name}/${index}/references`)
  const parents = parentsOf(index)
  const byProperty = new Map(
    resource.parents.flatMap(({ property }, level) => (property === undefined ? [] : [[property, parents[level]]])),
  )
  const isAtId = (path: SamplePath) => path.length === idPath.length && path.every((name, at) => name === idPath[at])

  function own(path: SamplePath, schema: AnySchema): unknown {
    if (isAtId(path)) return toReference(resource.ids.toJson(ids[index] as never), schema as never)
    const [property] = path
    if (path.length !== 1) return undefined
    const parent = byProperty.get(property as string)
    if (parent !== undefined) return toReference(parent, schema as never)
    const known = given.valueOf(index, property as string)
    if (known !== undefined && isValid(schema as never, known)) return known
    const values = resource.list?.filters.find((filter) => filter.property === property)?.values ?? []
    const possible = values.filter((value) => isValid(schema as never, value))
    return possible.length > 0 ? draw(random, possible) : undefined
  }

  return {
    own,
    all(path, schema) {
      const fixed = own(path, schema)
      const target =
        path.length === 1 && fixed === undefined ? plans.get(references[path[0] as string] ?? '') : undefined
      if (target === undefined || target.ids.length === 0) return fixed
      return toReference(target.resource.ids.toJson(draw(random, target.ids)), schema as never)
    },
  }
}

function unsentValues({ resource, ids, parentsOf }: RecordPlan, index: number): object {
  const parents = parentsOf(index)
  const values = unsentFields(resource).map(({ member, level }) => [
    member,
    level === undefined ? ids[index] : String(parents[level]),
  ])
  return Object.fromEntries(values)
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
