import type { Contract } from '../../document/contract/contract.js'
import { MockError } from '../../http/errors.js'
import { once } from '../../lib/functions.js'
import { createRandom, type RandomSource } from '../../lib/random.js'
import { copyData } from '../../lib/values.js'
import { collectionOf } from '../crud/find.js'
import type { Arranger, DocumentTools, Follow, Tools } from '../crud/handler.js'
import type { ValueMaker } from '../crud/make-values.js'
import type { StoredRecord } from '../resources/additions.js'
import { toJsonRecord } from '../resources/record-forms.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { DataApi, DataDependencies } from './data-api.js'
import { createDataSender, readPage, requireId } from './fields.js'
import type { FixtureId } from './format.js'

export interface ChosenId {
  /** An id that no record has. Default: the next id that was never used. */
  id?: FixtureId
}

/** Creates, reads and changes data without HTTP. Throws a MockError when the data violates a schema or a rule. */
export interface DataCollection<Record, Fields> {
  /** Missing fields get random values that follow from the seed. */
  create(fields?: Fields & ChosenId): Record
  /** Creates several with the same fields, or with those that a function returns for each index: all of them or none. */
  createMany(count: number, fields?: (Fields & ChosenId) | ((index: number) => Fields & ChosenId)): Record[]
  find(id: FixtureId): Record | undefined
  all(): Record[]
  /** Changes only the given fields. */
  update(id: FixtureId, fields: Fields): Record
  delete(id: FixtureId): void
}

/** The `data` of a service whose records are not known. An entry of a view can be neither created nor deleted. */
export type AnyData = Readonly<Record<string, DataCollection<AnyJson, AnyJson>>>

type AnyJson = Record<string, unknown>

/** What a service uses to create or change records in a way of its own. */
export interface DataTools
  extends Pick<DataDependencies<{ readonly rules: 'on' | 'off' }>, 'options' | 'withId' | 'atomically'> {
  readonly resources: readonly ServiceResource[]
  readonly random: RandomSource
  /** All collections, with the service's own functions. */
  readonly data: AnyData
  /** Sends a request and returns the response body. Throws a MockError for an error response. */
  send(method: string, path: string, fields?: object): unknown
}

/** Returns the functions of `data` that a service has of its own, by resource. */
export type CreateOwnData = (tools: DataTools) => Readonly<Record<string, object>>

interface DescribedService {
  readonly resources: readonly ServiceResource[]
  /** With the further paths to the same records. */
  readonly all: () => readonly ServiceResource[]
  readonly contract: Contract
  readonly tools: Tools
}

/** The `data` of any service, with the resources that are stored first. */
export function createData(
  { resources, all, contract, tools }: DescribedService,
  parts: DataDependencies<{ readonly rules: 'on' | 'off' }>,
  createOwn: CreateOwnData = () => ({}),
): DataApi<AnyData> {
  const { seed, atomically, requireReady, store, options, withId } = parts
  let source = createRandom(seed(), 'data')
  const random: RandomSource = () => {
    // Before drawing, so that a call that comes too early does not change later random values.
    requireReady()
    return source()
  }
  const byName = new Map(resources.map((resource) => [resource.name, resource]))
  const data: Record<string, DataCollection<AnyJson, AnyJson>> = {}

  const follows = new Map<ServiceResource, Follow | undefined>()

  /** As responses have it: with what follows from other records. */
  function toJson(resource: ServiceResource, record: StoredRecord): AnyJson {
    if (!follows.has(resource)) follows.set(resource, tools.documents?.createFollow(resource, all()))
    const followed = follows.get(resource)?.(store(), record) ?? record
    return copyData(toJsonRecord(resource, followed))
  }

  // At the first use: the tools are loaded then. A service with generated validators has functions of its own instead.
  const arrange = once(() => {
    const { maker, documents } = tools as Required<Tools>
    return (documents as DocumentTools).createArrange({
      ...parts,
      all: all(),
      contract,
      random,
      maker: maker as ValueMaker,
    })
  })

  /** Changes the data: all that it does, or nothing. */
  function change<Result>(resource: ServiceResource, act: (arranger: Arranger) => Result): Result {
    requireReady()
    const result = atomically(() => act(arrange()(resource)))
    parts.onChange()
    return result
  }

  function createCollection(resource: ServiceResource): DataCollection<AnyJson, AnyJson> {
    const { name, additions } = resource
    const reading = {
      find(id: FixtureId) {
        const record = collectionOf(store(), resource).get(requireId(resource, id))
        return record && toJson(resource, record)
      },
      all: () => Array.from(collectionOf(store(), resource).select({}), (record) => toJson(resource, record)),
      update: (id: FixtureId, fields: AnyJson) =>
        toJson(
          resource,
          change(resource, ({ update }) => update(requireId(resource, id), fields)),
        ),
    }
    if (additions.view) return reading as DataCollection<AnyJson, AnyJson>
    return {
      ...reading,
      create: (fields = {}) =>
        toJson(
          resource,
          change(resource, ({ create }) => create(fields)),
        ),
      createMany(count, fields) {
        if (!Number.isSafeInteger(count) || count < 0) {
          const message = `data.${name}.createMany expects an integer of 0 or more, but received ${String(count)}.`
          throw new MockError('INVALID_DATA', message)
        }
        const fieldsOf = typeof fields === 'function' ? fields : () => fields
        const create = (index: number) => data[name]?.create(fieldsOf(index)) as AnyJson
        return atomically(() => Array.from({ length: count }, (_, index) => create(index)))
      },
      delete: (id) => change(resource, ({ remove }) => remove(requireId(resource, id))),
    }
  }

  const isView = ({ additions }: ServiceResource) => additions.view !== undefined
  const sorted = [...resources.filter((each) => !isView(each)), ...resources.filter(isView)]
  const own = createOwn({ resources, options, random, data, send: createDataSender(parts.handle), withId, atomically })
  for (const resource of sorted) data[resource.name] = { ...createCollection(resource), ...own[resource.name] }

  return {
    data,
    page: (collection, query) =>
      readPage(byName.get(collection) as ServiceResource, { contract, tools }, store(), query),
    reset() {
      source = createRandom(seed(), 'data')
    },
  }
}
