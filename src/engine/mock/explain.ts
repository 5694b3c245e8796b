import type { Action, Meaning } from '../../document/operations/meaning.js'
import type { Role } from '../../document/resources/resource.js'
import { describeUnknown, MockError } from '../../http/errors.js'
import { resourceNamed, resourcesStoredIn, type ServiceResource } from '../resources/service-resource.js'
import { type ResourceWords, toWords } from '../resources/to-words.js'
import type { ServiceDefinition } from '../service.js'
import type { AnyService } from './define-service.js'

/** What was understood of a service, in the words of a service file. Plain data. */
export interface ServiceWords {
  readonly resources: Readonly<Record<string, ResourceWords>>
  readonly actions: Readonly<Record<string, object>>
  /** What other operations mean, by their names. */
  readonly meanings: Readonly<Record<string, object>>
}

export function describeInWords({ resources, furtherPaths, meanings }: ServiceDefinition<AnyService>): ServiceWords {
  const actions = meanings.filter((meaning) => meaning.kind === 'action')
  const others = meanings.filter(({ kind }) => kind !== 'action' && kind !== 'answer')
  return {
    resources: byKey(
      resources,
      ({ name }) => name,
      (each) => toWords(each, resourcesStoredIn(furtherPaths, each.name)),
    ),
    actions: byKey(actions, ({ operationId }) => operationId, toActionWords),
    meanings: byKey(
      others,
      ({ operationId }) => operationId,
      ({ operationId: _, operation: _operation, ...meaning }) => meaning,
    ),
  }
}

/** What a service file can say. */
function toActionWords({ set, from }: Pick<Action, 'set' | 'from'>): object {
  return { set, ...(from && { from }) }
}

function byKey<T, Words>(some: readonly T[], toKey: (each: T) => string, toValue: (each: T) => Words) {
  return Object.fromEntries(some.map((each) => [toKey(each), toValue(each)]))
}

/** Why an operation does what it does. */
export interface Explanation {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** The rules that decided, each a sentence. */
  readonly rules: readonly string[]
  /** The parts of a service file that say it otherwise, each with what it does. */
  readonly corrections: readonly { readonly words: object; readonly effect: string }[]
  /** Whether the service has a function for it, or could have one. */
  readonly isOwn: boolean
}

const ROLES: Readonly<Record<Role, string>> = {
  list: 'GET on a collection, and its response has an array of records',
  create: 'POST on a collection takes a record',
  read: 'GET on the path of a record returns one object',
  replace: 'PUT on the path of a record',
  merge: 'PATCH on the path of a record, or POST where it has neither PUT nor PATCH',
  remove: 'DELETE on the path of a record',
}

/** Throws INVALID_OPTION if the service does not have this operation. */
export function explainOperation(service: ServiceDefinition<AnyService>, name: string): Explanation {
  const declared = service.operations.find(({ operation }) => operation === name)
  if (declared === undefined) {
    const known = service.operations.map(({ operation }) => operation)
    throw new MockError('INVALID_OPTION', describeUnknown('operation', name, known))
  }
  const { method, path } = declared
  const all = [...service.resources, ...service.furtherPaths]
  const found = findRole(all, name)
  const meaning = service.meanings.find(({ operationId }) => operationId === name)
  const explained =
    meaning && meaning.kind !== 'answer'
      ? explainMeaning(meaning)
      : found
        ? explainRole(found.resource, found.role, all)
        : explainStateless(path)
  return { operation: name, method, path, ...explained, isOwn: service.own.has(name) }
}

function findRole(all: readonly ServiceResource[], name: string) {
  for (const resource of all) {
    for (const [role, { operationId }] of Object.entries(resource.operations))
      if (operationId === name) return { resource, role: role as Role }
  }
  return undefined
}

type Explained = Pick<Explanation, 'rules' | 'corrections'>

function explainRole(resource: ServiceResource, role: Role, all: readonly ServiceResource[]): Explained {
  const { name, storedIn, itemPath, isSingle, id, parents, operations } = resource
  const stored = resourceNamed(all, storedIn) ?? resource
  const words = toWords(
    stored,
    resourcesStoredIn(all, storedIn).filter((each) => each !== stored),
  )
  const { envelope = [] } = operations[role]?.response ?? {}
  const rules = [
    isSingle
      ? `${role} of ${storedIn}: the path has one record, because nothing lists or creates several.`
      : `${role} of ${storedIn}: ${ROLES[role]}${envelope.length > 0 ? `, in "${envelope.join('.')}"` : ''}.`,
    ...(storedIn === name ? [] : [`Its records are those of ${storedIn}, because they have the same schema.`]),
    ...(itemPath === undefined ? [] : [describeId(resource)]),
    ...parents.map((parent) => describeParent(parent, name)),
  ]
  const others = { ...(id.property && { id: id.property.join('.') }) }
  return {
    rules,
    corrections: [
      { words: { resources: { [storedIn]: { ...words, ...others } } }, effect: 'change what is wrong' },
      { words: { resources: { [name]: false } }, effect: 'it is no collection' },
    ],
  }
}

function describeId({ id: { parameter, property, kind, isChosen } }: ServiceResource): string {
  const origin = isChosen ? 'a client chooses it' : `the mock makes it: ${kind.type}`
  if (property === undefined) return `No property holds the id that the path calls {${parameter}}.`
  return `The id in {${parameter}} is the property ${property.join('.')}; ${origin}.`
}

function describeParent({ parameter, resource, property }: ServiceResource['parents'][number], name: string): string {
  if (resource === undefined) return `Nothing lists or creates what {${parameter}} names, so any is taken.`
  const repeated = property === undefined ? '' : `, and ${property} repeats its id`
  return `${name} are below ${resource}: {${parameter}} names one${repeated}.`
}

function explainMeaning(meaning: Meaning): Explained {
  const { kind, operationId } = meaning
  const resource = 'resource' in meaning ? meaning.resource : undefined
  const isAction = kind === 'action'
  const rule = isAction
    ? `action on ${resource}: the path names one of them, and ends with what is done with it.`
    : `${kind}${resource === undefined ? '' : ` of ${resource}`}.`
  return {
    rules: [rule],
    corrections: isAction
      ? [
          {
            words: { actions: { [operationId]: toActionWords(meaning) } },
            effect: 'change what it sets',
          },
          { words: { actions: { [operationId]: false } }, effect: 'it keeps no state' },
        ]
      : [],
  }
}

const explainStateless = (path: string): Explained => ({
  rules: [
    `No rule recognises ${path}, so it keeps no state: it is answered from the first example that conforms, else from the schema.`,
  ],
  corrections: [],
})
