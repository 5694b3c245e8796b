/** Creates records as a client would that knows the OpenAPI document, and reads them back. */

import type { Resource, ResourceOperation } from '../src/document/resources/resource.js'
import { createSampler } from '../src/document/sample/sample.js'
import type { Schema } from '../src/document/schema/schema.js'
import { defineService } from '../src/engine/mock/define-service.js'
import { createRandom } from '../src/lib/random.js'

export type Outcome = 'not created' | 'forgotten' | 'remembered'

type Json = Readonly<Record<string, unknown>>

interface Created {
  readonly id: string
  readonly sent: Json
}

/** For each resource that has an operation to create and one to read a record: whether both of two records come back. */
export async function* resourceMeasures(document: object, base: string): AsyncGenerator<Outcome> {
  const { resources } = defineService({ document })
  const client = createClient(document, resources, base)
  for (const resource of resources) {
    if (resource.isSingle || !resource.operations.create || !resource.operations.read) continue
    yield await client.measure(resource).catch((): Outcome => 'not created')
  }
}

function createClient(document: object, resources: readonly Resource[], base: string) {
  const sampler = createSampler(createRandom(1, 'requests'))
  const sample = (schema: Schema) => sampler.sample(schema, { as: 'request', isVaried: true })
  const headers = credentials(document)

  async function measure(resource: Resource): Promise<Outcome> {
    const parents = await createParents(resource)
    const first = await create(resource, parents)
    const second = await create(resource, parents)
    if (first === undefined || second === undefined) return 'not created'
    const isRead = (await comesBack(resource, parents, first)) && (await comesBack(resource, parents, second))
    return isRead && first.id !== second.id ? 'remembered' : 'forgotten'
  }

  /** The ids of new parents, by path parameter; made up where the document cannot create one. */
  async function createParents(resource: Resource): Promise<Record<string, string>> {
    const ids: Record<string, string> = {}
    for (const parent of resource.parents) {
      const owner = resources.find(({ name }) => name === parent.resource)
      const created = owner?.operations.create && (await create(owner, ids))
      ids[parent.parameter] = created?.id ?? '1'
    }
    return ids
  }

  async function create(resource: Resource, ids: Record<string, string>): Promise<Created | undefined> {
    const { create } = resource.operations
    if (create === undefined) return undefined
    const body = create.request && sample(create.request.schema.schema)
    const response = await send('POST', fill(resource.path, ids), create, body)
    if (!response.ok) return undefined
    const record = recordOf(response.json, create.response?.envelope)
    const id = idOf(record, resource) ?? response.location?.split('?')[0]?.replace(/\/$/, '').split('/').at(-1)
    return id === undefined ? undefined : { id, sent: recordOf(body, create.request?.envelope) ?? {} }
  }

  async function comesBack(resource: Resource, ids: Record<string, string>, { id, sent }: Created): Promise<boolean> {
    const { read } = resource.operations
    const parameter = resource.id.parameter ?? ''
    const response = await send('GET', fill(resource.itemPath ?? '', { ...ids, [parameter]: id }), read)
    const record = recordOf(response.json, read?.response?.envelope)
    if (!response.ok || record === undefined) return false
    const compared = Object.keys(sent).filter((name) => isScalar(sent[name]) && isScalar(record[name]))
    return compared.length > 0 ? compared.every((name) => record[name] === sent[name]) : idOf(record, resource) === id
  }

  async function send(method: string, path: string, operation?: ResourceOperation, body?: unknown) {
    const type = operation?.request?.mediaType
    const isForm = type === 'application/x-www-form-urlencoded'
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, ...(body !== undefined && type !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: isForm ? toForm(body) : JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await response.text()
    return { ok: response.ok, location: response.headers.get('location'), json: parse(text) }
  }

  return { measure }
}

/** Something for each security scheme that goes into a header. */
function credentials(document: object): Record<string, string> {
  const { components = {} } = document as { components?: { securitySchemes?: Record<string, Record<string, string>> } }
  const headers: Record<string, string> = { authorization: 'Bearer token' }
  for (const scheme of Object.values(components.securitySchemes ?? {})) {
    if (scheme.type === 'apiKey' && scheme.in === 'header' && scheme.name) headers[scheme.name] = 'key'
    if (scheme.scheme === 'basic') headers.authorization = 'Basic dXNlcjpwYXNz'
  }
  return headers
}

function fill(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? '1'))
}

function recordOf(body: unknown, envelope: readonly string[] = []): Json | undefined {
  const value = envelope.reduce<unknown>((outer, name) => (outer as Json | undefined)?.[name], body)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

function idOf(record: Json | undefined, resource: Resource): string | undefined {
  const id = resource.id.property?.reduce<unknown>((outer, name) => (outer as Json | undefined)?.[name], record)
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function toForm(body: unknown): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body ?? {})) if (isScalar(value)) form.append(name, String(value))
  return form
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
