import { copyData } from '../../lib/copy-data.js'
import type { Id } from '../../lib/int64.js'
import { createRandom, type RandomSource } from '../../lib/random.js'
import type { Contract } from '../contract/contract.js'
import { MockError } from '../contract/errors.js'
import type { StoredRecord } from '../resources/additions.js'
import { disclose } from '../resources/envelope.js'
import { schemaAt } from '../resources/envelopes.js'
import { collectionOf } from '../resources/find.js'
import type { DataPaths, Tools } from '../resources/handler.js'
import { compilePath } from '../resources/parents.js'
import { describeId, toJsonRecord } from '../resources/record-forms.js'
import { requiredIn } from '../resources/schema-facts.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { DataApi, DataDependencies } from '../service.js'
import type { ServiceOptions } from '../service-options.js'
import { readFields, writeFields } from './data-fields.js'
import { createDataSender } from './data-sender.js'
import type { FixtureId } from './format.js'
import { readPage } from './page.js'

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
export interface DataTools {
  readonly options: { readonly rules: 'on' | 'off' }
  readonly random: RandomSource
  /** All collections, with the service's own functions. */
  readonly data: AnyData
  /** The functions that the service replaces. */
  readonly standard: AnyData
  /** Sends a request and returns the response body. Throws a MockError for an error response. */
  send(method: string, path: string, fields?: object): unknown
  /** Undoes all changes when `act` throws. */
  atomically<Result>(act: () => Result): Result
}

/** Returns the functions of `data` that a service has of its own, by resource. */
export type CreateOwnData = (tools: DataTools) => Readonly<Record<string, object>>

/** How many records a reference is chosen from. */
const MAX_CHOICES = 100

interface DescribedService {
  readonly resources: readonly ServiceResource[]
  readonly contract: Contract
  readonly tools: Tools
}

/** The `data` of any service, with the resources that are stored first. */
export function createData(
  { resources, contract, tools }: DescribedService,
  parts: DataDependencies<ServiceOptions>,
  createOwn: CreateOwnData = () => ({}),
): DataApi<AnyData> {
  const { seed, atomically, requireReady, withId, store } = parts
  const send = createDataSender(parts.handle)
  let source = createRandom(seed(), 'data')
  const random: RandomSource = () => {
    // Before drawing, so that a call that comes too early does not change later random values.
    requireReady()
    return source()
  }
  const byName = new Map(resources.map((resource) => [resource.name, resource]))
  const data: Record<string, DataCollection<AnyJson, AnyJson>> = {}

  function toJson(resource: ServiceResource, record: StoredRecord): AnyJson {
    return copyData(toJsonRecord(resource, record))
  }

  function requireId(resource: ServiceResource, id: FixtureId): Id {
    const read = resource.ids.read(id)
    if (read !== undefined) return read
    throw new MockError('INVALID_DATA', `An id must be ${describeId(resource)}, but is ${String(id)}.`)
  }

  function pathsOf(resource: ServiceResource): DataPaths | undefined {
    return resource.parents.length === 0 ? undefined : tools.documents?.createDataPaths(resource, resources)
  }

  function itemPathOf(resource: ServiceResource, id: Id): string {
    const {
      itemPath,
      path,
      id: { parameter = '' },
    } = resource
    const record = collectionOf(store(), resource).get(id)
    const parents = record && pathsOf(resource)?.idsOf(record)
    return compilePath(itemPath ?? path)({ ...parents, [parameter]: id })
  }

  /** Creates a record, with the given id if there is one. */
  function post(resource: ServiceResource, id: FixtureId | undefined, sampled: AnyJson, given: AnyJson): AnyJson {
    const { name } = resource
    const { path, fields } = pathsOf(resource)?.place(store(), given, anyId) ?? { path: resource.path, fields: given }
    const create = () => send('POST', path, writeFields(resource, { ...sampled, ...fields })) as AnyJson
    if (id === undefined) return create()
    const chosen = requireId(resource, id)
    if (collectionOf(store(), resource).get(chosen) === undefined) return withId(name, chosen, create)
    throw new MockError('INVALID_DATA', `data.${name}.create: The id ${chosen} is already in use.`)
  }

  /** Values for a new record of a service that does not say itself how they look. */
  function sampleFields(resource: ServiceResource, given: AnyJson): AnyJson {
    const { name, additions, operations, writable } = resource
    const own = additions.sample?.(random, given) as AnyJson | undefined
    const request = operations.create?.request
    if (request === undefined || tools.maker === undefined) return own ?? {}
    const { schema } = request.schema
    const salt = `${name}/${collectionOf(store(), resource).nextId}`
    const sampled = disclose(request.envelope, tools.maker.makeBody(schema, salt)) as AnyJson
    // Where the service says itself how records look, only what it has forgotten.
    const names = own ? [...requiredIn(schemaAt(schema, request.envelope))] : writable
    const made = names.flatMap((property) => (property in sampled ? [[property, sampled[property]]] : []))
    return { ...Object.fromEntries(made), ...own }
  }

  /** Ids for the references that a new record must have. */
  function missingReferences({ checkedReferences }: ServiceResource, given: AnyJson): AnyJson {
    const missing = checkedReferences.filter(({ property, when }) => !when && !(property in given))
    return Object.fromEntries(missing.map(({ property, to }) => [property, anyId(byName.get(to) as ServiceResource)]))
  }

  function anyId(resource: ServiceResource): unknown {
    const [key] = resource.idPath
    const known = collectionOf(store(), resource).select({}).slice(0, MAX_CHOICES)
    if (known.length === 0) return data[resource.name]?.create()[key]
    return toJson(resource, known[Math.floor(random() * known.length)] as StoredRecord)[key]
  }

  function createCollection(resource: ServiceResource): DataCollection<AnyJson, AnyJson> {
    const { name, writable, operations, additions } = resource
    const readers = {
      find(id: FixtureId) {
        const record = collectionOf(store(), resource).get(requireId(resource, id))
        return record && toJson(resource, record)
      },
      all: () => Array.from(collectionOf(store(), resource).select({}), (record) => toJson(resource, record)),
    }
    function update(id: FixtureId, given: AnyJson): AnyJson {
      const fields = readFields(`${name}.update`, given, writable)
      const path = itemPathOf(resource, requireId(resource, id))
      if (operations.merge) return send('PATCH', path, writeFields(resource, fields)) as AnyJson
      const current = send('GET', path) as AnyJson
      const kept = Object.fromEntries(writable.map((property) => [property, current[property]]))
      return send('PUT', path, writeFields(resource, { ...kept, ...fields })) as AnyJson
    }
    if (additions.view) return { ...readers, update } as DataCollection<AnyJson, AnyJson>
    return {
      ...readers,
      update,
      delete: (id) => void send('DELETE', itemPathOf(resource, requireId(resource, id))),
      create(given = {}) {
        const { id, ...fields } = readFields(`${name}.create`, given, [
          'id',
          ...writable,
          ...(pathsOf(resource)?.names ?? []),
        ]) as AnyJson & ChosenId
        const sampled = sampleFields(resource, fields)
        return atomically(() => post(resource, id, sampled, { ...fields, ...missingReferences(resource, fields) }))
      },
      createMany(count, fields) {
        if (!Number.isSafeInteger(count) || count < 0) {
          const message = `data.${name}.createMany expects an integer of 0 or more, but received ${String(count)}.`
          throw new MockError('INVALID_DATA', message)
        }
        const fieldsOf = typeof fields === 'function' ? fields : () => fields
        const create = (index: number) => data[name]?.create(fieldsOf(index)) as AnyJson
        return atomically(() => Array.from({ length: count }, (_, index) => create(index)))
      },
    }
  }

  const isView = ({ additions }: ServiceResource) => additions.view !== undefined
  const sorted = [...resources.filter((each) => !isView(each)), ...resources.filter(isView)]
  const standard = Object.fromEntries(sorted.map((resource) => [resource.name, createCollection(resource)]))
  const own = createOwn({ options: parts.options, random, data, standard, send, atomically })
  for (const [name, collection] of Object.entries(standard)) data[name] = { ...collection, ...own[name] }

  return {
    data,
    page: (collection, query) =>
      readPage(byName.get(collection) as ServiceResource, { contract, tools }, store(), query),
    reset() {
      source = createRandom(seed(), 'data')
    },
  }
}
