import type { Contract } from '../../document/contract/contract.js'
import type { Operation } from '../../document/contract/operation.js'
import type { ResourceOperation } from '../../document/resources/resource.js'
import type { Sampler } from '../../document/sample/sample.js'
import { createSampler } from '../../document/sample/sample.js'
import { type DocumentParameter, schemaOfParameter } from '../../document/validate/parameters.js'
import { wrap } from '../../engine/crud/envelope.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { ApiError, apiError } from '../../http/errors.js'
import { NO_LIMITS } from '../../http/limits.js'
import type { OutgoingRequest, PlainRequest } from '../../http/messages.js'
import { parsePath, parseQuery } from '../../http/target.js'
import { stringifyJson } from '../../lib/json.js'
import { createRandom, hashText } from '../../lib/random.js'
import { encodePart } from '../../lib/text.js'
import { JSON_TYPE, type ServiceOptions } from './send-request.js'

export type JsonId = ReturnType<ServiceResource['ids']['toJson']>

/** An operation, as far as its requests depend on it. */
export interface RequestedOperation {
  readonly id: string
  /** In upper case. */
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  /** What it does with the records of a resource: its bodies, their envelopes, and its headers. */
  readonly described?: ResourceOperation | undefined
}

/** The same with what checks a request. */
export interface CheckedOperation extends RequestedOperation {
  readonly contract: Operation
}

/** One request to an operation. What it requires beside this is made from the document. */
export interface Call {
  /** The first parameter of the path. */
  readonly id?: JsonId
  /** The same as it stands in the path, for one that is malformed. */
  readonly rawId?: string
  /** Without the question mark. */
  readonly query?: string
  /** The record, which is sent as JSON in the envelope of the operation. */
  readonly body?: unknown
  /** Sent as it is, with the content type of JSON unless `headers` has another. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  /** Default: that of the operation. */
  readonly method?: string
  /** Default: that of the operation. */
  readonly path?: string
  /** How many items match, if that is known. */
  readonly total?: number
}

export interface Requests {
  readonly sampler: Sampler
  toRequest(operation: RequestedOperation, call: Call): OutgoingRequest
  /** What the document does not allow about a request. */
  findProblem(operation: CheckedOperation, request: OutgoingRequest): string | undefined
  /** The first id that the document allows in the path of an operation, or one made from the document. */
  firstAllowed(operation: CheckedOperation, ids: readonly string[]): string
  /** The query for many records of a list, the last ones by id if `fromEnd`. Undefined if it cannot be sorted like that. */
  queryFor(
    operation: CheckedOperation & { readonly resource?: ServiceResource | undefined },
    size: number,
    fromEnd?: boolean,
  ): string | undefined
}

/** Makes requests, and knows whether the document allows them. `marker` decides about the values that are made. */
export function createRequests(contract: Contract, given: ServiceOptions['headers'], marker: string): Requests {
  const sampler = createSampler(createRandom(hashText(marker), 'verify'))
  const givenHeaders = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]))

  function textsOf(parameter: DocumentParameter): string[] {
    const value = sampler.sample(schemaOfParameter(parameter), { as: 'request', budget: 0 })
    if (parameter.content) return [stringifyJson(value) ?? '']
    return Array.isArray(value) ? value.map(String) : [String(value)]
  }

  const required = ({ id }: RequestedOperation, place: string): DocumentParameter[] =>
    contract.declaredParameters(id).filter((each) => each.in === place && (place === 'path' || each.required))

  function pathOf(operation: RequestedOperation, { id, rawId }: Call): string {
    let next = rawId ?? (id === undefined ? undefined : encodePart(String(id)))
    return operation.path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => {
      const [own, parameter] = [next, required(operation, 'path').find((each) => each.name === name)]
      next = undefined
      return own ?? encodePart(parameter ? textsOf(parameter).join(',') : name)
    })
  }

  /** OpenAPI leaves some headers to other parts of the document. */
  function headersOf(operation: RequestedOperation): Record<string, string> {
    const declared = required(operation, 'header').filter(
      ({ name }) => !/^(?:accept|content-type|authorization)$/i.test(name) && !(name.toLowerCase() in givenHeaders),
    )
    const cookies = required(operation, 'cookie').map((each) => `${each.name}=${encodePart(textsOf(each).join(','))}`)
    return {
      ...Object.fromEntries(declared.map((each) => [each.name, textsOf(each).join(',')])),
      ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
    }
  }

  function queryOf(operation: RequestedOperation, query = ''): string {
    const names = new Set(query.split('&').map((part) => part.split('=', 1)[0]))
    const missing = required(operation, 'query').filter(({ name }) => !names.has(encodePart(name)))
    const added = missing.flatMap((each) => {
      const texts = each.explode === false ? [textsOf(each).join(',')] : textsOf(each)
      return texts.map((text) => `${encodePart(each.name)}=${encodePart(text)}`)
    })
    return [query, ...added].filter((part) => part !== '').join('&')
  }

  function toRequest(operation: RequestedOperation, call: Call): OutgoingRequest {
    const { body, raw, headers } = call
    const path = call.path ?? pathOf(operation, call)
    const query = call.path === undefined ? queryOf(operation, call.query) : call.query
    const { mediaType = JSON_TYPE, envelope = [] } = operation.described?.request ?? {}
    const content = raw ?? (body === undefined ? undefined : (stringifyJson(wrap(envelope, body)) ?? ''))
    return {
      method: call.method ?? operation.method,
      target: query ? `${path}?${query}` : path,
      headers: {
        Accept: JSON_TYPE,
        ...headersOf(operation),
        ...(content !== undefined && { 'Content-Type': mediaType }),
        ...headers,
      },
      body: content,
    }
  }

  /** Throws an ApiError if the document does not allow them. */
  function readParameters({ contract: operation }: CheckedOperation, request: OutgoingRequest): PlainRequest {
    const { method, target, body: content } = request
    const [path = '', query = ''] = target.split('?', 2)
    const sent = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])
    const headers = { ...Object.fromEntries(sent), ...givenHeaders }
    const body = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const segments = parsePath(path)
    const values = parseQuery(query)
    if (contract.matchOperation({ method, path, query }, segments) !== operation) {
      throw apiError('INVALID_REQUEST', `${path} is the path of another operation`)
    }
    contract.readParameters(operation, segments, { text: query, values }, false, headers)
    return { method, path, query, base: '', headers, ...(body && { body }) }
  }

  return {
    sampler,

    toRequest,

    findProblem(operation: CheckedOperation, request: OutgoingRequest): string | undefined {
      return orMessage(() => {
        const plain = readParameters(operation, request)
        const body = operation.contract.takesBody && contract.parseBody(operation.contract, plain, NO_LIMITS)
        if (body instanceof ApiError) throw body
      })
    },

    firstAllowed(operation: CheckedOperation, ids: readonly string[]): string {
      const isAllowed = (id: string) =>
        orMessage(() => readParameters(operation, toRequest(operation, { id }))) === undefined
      const [, name] = /\{([^}]*)\}/.exec(operation.path) ?? []
      const parameter = required(operation, 'path').find((each) => each.name === name)
      return ids.find(isAllowed) ?? (parameter ? textsOf(parameter).join(',') : '')
    },

    queryFor(
      { resource, contract: operation }: CheckedOperation & { readonly resource?: ServiceResource | undefined },
      size: number,
      fromEnd = false,
    ): string | undefined {
      const { list, idPath } = resource as ServiceResource
      if (fromEnd && list?.sort === undefined) return undefined
      const name = list?.paging?.size
      const schema = operation.queryParameters.find((each) => each.name === name)?.schema
      const { maximum = size, minimum = size } = schema ?? {}
      const members = [
        ...(name === undefined ? [] : [`${name}=${Math.max(Math.min(size, maximum), Math.min(size, minimum))}`]),
        ...(fromEnd ? [`${list?.sort}=-${idPath[0]}`] : []),
      ]
      return members.join('&')
    },
  }
}

/** The message of the error with which something is rejected. */
function orMessage(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
