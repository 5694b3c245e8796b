import fc from 'fast-check'
import { createSampler, type Sampler } from '../../src/document/sample/sample.js'
import { resolveDocument } from '../../src/document/schema/resolved-document.js'
import type { Schema } from '../../src/document/schema/schema.js'
import { schemaOfParameter } from '../../src/document/validate/parameters.js'
import type { AnyFixture } from '../../src/engine/data/format.js'
import { entriesIn } from '../../src/engine/data/format.js'
import type { AnyService } from '../../src/engine/mock/define-service.js'
import type { ServiceDefinition } from '../../src/engine/service.js'
import { createRandom } from '../../src/lib/random.js'
import { encodePart } from '../../src/lib/text.js'
import { type FuzzRequest, toByteText } from './request.js'
import { REQUEST_MUTATION, type RequestMutation } from './request-mutations.js'

export type Service = ServiceDefinition<AnyService>

/** A request before the ids that exist are known: which operation, which records, what values, and what is wrong with it. */
export interface DocumentStep {
  readonly operation: number
  readonly pick: number
  readonly seed: number
  readonly mutations: readonly RequestMutation[]
}

/** Three of four requests are valid as far as the document says. */
const MUTATIONS = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(REQUEST_MUTATION, { minLength: 1, maxLength: 2 }) },
)

export const DOCUMENT_STEPS: fc.Arbitrary<readonly DocumentStep[]> = fc.array(
  fc.record({ operation: fc.nat(), pick: fc.nat(), seed: fc.nat(), mutations: MUTATIONS }),
  { minLength: 1, maxLength: 40, size: 'max' },
)

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema } | undefined>> }
}

/** Makes requests from what the document declares. `state` has the ids that exist. */
export function createRequestMaker(service: Service) {
  const { definition } = resolveDocument(service.document) as {
    readonly definition: { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
  }
  const operations = service.contract.operations()
  const resourceOf = new Map(
    service.resources.flatMap((resource) =>
      Object.values(resource.operations).map(({ operationId }) => [operationId, resource] as const),
    ),
  )

  /** The ids that a path parameter can have. */
  function knownIds(operation: string, parameter: string, state: AnyFixture): unknown[] {
    const resource = resourceOf.get(operation)
    const name =
      resource?.id.parameter === parameter
        ? resource.name
        : resource?.parents.find((parent) => parent.parameter === parameter)?.resource
    const owner = service.resources.find((each) => each.name === name)
    if (owner === undefined) return []
    return entriesIn(state, owner.name).map((entry) => owner.idPath.reduce<unknown>(member, entry) ?? entry.id)
  }

  function bodyOf(path: string, method: string, sampler: Sampler): Pick<FuzzRequest, 'headers' | 'body'> {
    const declared = definition.paths[path]?.[method.toLowerCase()] as Operation | undefined
    const content = declared?.requestBody?.content ?? {}
    const [type = '', media] = Object.entries(content).find(([name]) => /json|form-url/.test(name)) ?? []
    if (media === undefined) return { headers: [] }
    const value = sampler.sample((media.schema ?? {}) as never, { as: 'request', isVaried: true })
    const text = type.includes('json') ? JSON.stringify(value) : new URLSearchParams(toTexts(value)).toString()
    return { headers: [['content-type', type]], body: toByteText(text ?? '') }
  }

  return ({ operation: index, pick, seed, mutations }: DocumentStep, state: AnyFixture): FuzzRequest => {
    const chosen = operations[index % operations.length]
    if (chosen === undefined) return { method: 'GET', target: '/', headers: [] }
    const { operation, path, method } = chosen
    const random = createRandom(seed, operation)
    const sampler = createSampler(random)
    const sample = (schema: Schema) => sampler.sample(schema as never, { as: 'request', isVaried: true })
    const parameters = service.contract.declaredParameters(operation)
    const chooseValue = (name: string) => {
      const known = knownIds(operation, name, state)
      if (known.length > 0) return known[pick % known.length]
      const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
      return parameter ? sample(schemaOfParameter(parameter)) : 1
    }
    const target = path.replace(/\{([^{}]+)\}/g, (_, name: string) => encodePart(String(chooseValue(name))))
    const query = parameters
      .filter((each) => each.in === 'query' && (each.required || random() < 0.3))
      .flatMap((each) => [sample(schemaOfParameter(each))].flat().map((value) => [each.name, String(value)]))
    const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`
    const required = parameters
      .filter((each) => each.in === 'header' && each.required)
      .map((each): [string, string] => [
        each.name.toLowerCase(),
        toHeaderText(sampler.sample(schemaOfParameter(each) as never)),
      ])
    const sent = bodyOf(path, method, sampler)
    const request = { method, target: target + search, ...sent, headers: [...sent.headers, ...required] }
    return mutations.reduce((changed: FuzzRequest, mutate) => mutate(changed), request)
  }
}

const member = (value: unknown, name: string) => (value as Record<string, unknown> | undefined)?.[name]

const toHeaderText = (value: unknown) => String(value).replaceAll(/[^\x21-\x7e]/g, '') || 'a'

function toTexts(value: unknown): string[][] {
  return Object.entries(Object(value)).map(([name, each]) => [
    name,
    typeof each === 'object' ? JSON.stringify(each) : String(each),
  ])
}
