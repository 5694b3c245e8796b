import { notFound } from '../../../engine/resources/messages.js'
import type { ServiceResource } from '../../../engine/resources/service-resource.js'
import { NO_HEADER, showHeader } from '../../differences.js'
import { JSON_TYPE } from '../../send-request.js'
import type { Call, CallResult } from '../caller.js'
import { type Check, type Context, forEachAllowed, reads, writes } from '../check.js'
import { TOTAL } from '../compare-page.js'
import type { OperationInfo, Operations } from '../operations.js'

/**
 * Checks that every operation has: which requests are rejected before any record is looked for, and how. With `onlyDocument`,
 * those of what a document promises.
 */
export function requestChecks(operations: Operations, onlyDocument: boolean): Check[] {
  const all = Object.values(operations)
  const paths = [...new Set(all.map(({ path }) => path))]
  return [
    ...all.flatMap((each) => [
      ...(onlyDocument ? [] : [acceptCheck(each)]),
      ...(each.owner?.id.kind.type === 'int64' ? [malformedIdCheck(each)] : []),
      ...(each.owner ? [unknownIdCheck(each, each.owner)] : []),
      ...(each.contract.takesBody ? [mediaTypeCheck(each, onlyDocument), malformedBodyCheck(each)] : []),
      ...(!onlyDocument && each.method === 'GET' && each.path.split('{').length <= 2 ? [headCheck(each)] : []),
    ]),
    ...(onlyDocument ? [] : paths).flatMap((path) => pathChecks(all.filter((each) => each.path === path))),
    ...all
      .filter(({ isList }) => isList)
      .slice(0, 1)
      .map(unknownPathCheck),
    ...all
      .filter(({ method, owner }) => method === 'GET' && owner)
      .slice(0, 1)
      .map(undecodableCheck),
  ]
}

function checkOf({ id, method }: OperationInfo, name: string, run: Check['run']): Check {
  return method === 'GET' ? reads(id, name, run) : writes(id, name, run)
}

const unknownIdOf = ({ owner }: OperationInfo, { unknownId, marker }: Context): string =>
  owner ? unknownId(owner) : marker

/** A valid request about an id that no record has; should it create a record, that can be recognised as ours. */
async function sampleCall(operation: OperationInfo, context: Context): Promise<Call> {
  const { resource, role, contract } = operation
  const id = unknownIdOf(operation, context)
  return resource && role && contract.takesBody ? { id, body: await context.newBody(resource, role) } : { id }
}

function acceptCheck(operation: OperationInfo): Check {
  return checkOf(operation, 'returns 406 if Accept excludes JSON', async (context) => {
    for (const accept of ['application/xml', 'application/json;q=0, */*']) {
      const call = { ...(await sampleCall(operation, context)), headers: { Accept: accept } }
      await context.call(operation.id, call, { code: 'NOT_ACCEPTABLE' })
    }
  })
}

/** Spellings of an unknown id with a plus, a leading zero, a space, an exponent …, and ids of more than 64 bits. */
function malformedIds({ method }: OperationInfo, unknownId: string): string[] {
  const spellings = ['x#', '0#', '+#', '#.0', '#e2', '%20#', '-0#', '9#', '-9#'].map((each) =>
    each.replace('#', unknownId),
  )
  const onlyForReading = method === 'GET' ? ['-0', '9223372036854775808', '-9223372036854775809'] : []
  return [...spellings, `0x${BigInt(unknownId).toString(16)}`, ...onlyForReading]
}

function malformedIdCheck(operation: OperationInfo): Check {
  const name = 'returns 400 for an id that is not a 64-bit integer in plain digits'
  return checkOf(operation, name, async (context) => {
    await forEachAllowed(malformedIds(operation, unknownIdOf(operation, context)), async (id) =>
      context.call(operation.id, { ...(await sampleCall(operation, context)), id }, { code: 'INVALID_REQUEST' }),
    )
  })
}

function unknownIdCheck(operation: OperationInfo, owner: ServiceResource): Check {
  const { code } = notFound(owner, '')
  return checkOf(operation, `returns 404 ${code} for an unknown id`, async (context) => {
    const id = context.unknownId(owner)
    for (const each of owner.id.kind.type === 'int64' ? [id, `-${id}`] : [id]) {
      await context.call(operation.id, { ...(await sampleCall(operation, context)), id: each }, { code })
    }
  })
}

const ACCEPT_HEADERS: Readonly<Record<string, string>> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' }

function mediaTypeCheck(operation: OperationInfo, onlyDocument: boolean): Check {
  return writes(operation.id, 'returns 415 for a body that is not declared as plain JSON', async (context) => {
    const name = ACCEPT_HEADERS[operation.method]
    const expected = name === undefined ? {} : { [name]: JSON_TYPE }
    for (const headers of [
      { 'Content-Type': 'text/plain' },
      ...(onlyDocument
        ? []
        : [{ 'Content-Type': 'application/json; charset=iso-8859-1' }, { 'Content-Encoding': 'gzip' }]),
    ] as Record<string, string>[]) {
      const call = { ...(await sampleCall(operation, context)), headers }
      await context.call(operation.id, call, { code: 'UNSUPPORTED_MEDIA_TYPE', headers: expected })
    }
  })
}

function malformedBodyCheck(operation: OperationInfo): Check {
  const { id } = operation
  const name = 'returns 400 MALFORMED_BODY for a body that is not JSON in UTF-8'
  return writes(id, name, async (context) => {
    for (const raw of ['{"name":', '', '{} {}', new Uint8Array([0x22, 0xff, 0x22])]) {
      await context.call(id, { id: unknownIdOf(operation, context), raw }, { code: 'MALFORMED_BODY' })
    }
  })
}

function headCheck(operation: OperationInfo): Check {
  const { id, owner, headers } = operation
  return reads(id, 'responds to HEAD as to GET, without a body', async ({ call, noteOn, any }) => {
    const head = { method: 'HEAD', ...(owner && { id: await any(owner.storedIn) }) }
    const response = await call(id, head, { bodiless: true })
    if (!response.asExpected) return
    const note = noteOn(id, response)
    const type = response.headers.get('Content-Type')
    if (!type?.startsWith(JSON_TYPE)) note('header Content-Type', JSON_TYPE, showHeader(type))
    if (headers.includes(TOTAL) && !response.headers.has(TOTAL)) note(`header ${TOTAL}`, 'a whole number', NO_HEADER)
    await call(id, { ...head, headers: { Accept: 'text/html' } }, { status: 406, bodiless: true })
  })
}

/** Which methods a path allows. */
function pathChecks(operations: readonly OperationInfo[]): Check[] {
  const [operation] = operations as [OperationInfo]
  const { id, path } = operation
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const allowed = [...methods, 'OPTIONS']
  const other = ['PATCH', 'PUT'].find((method) => !methods.includes(method))

  function compareAllow({ noteOn }: Context, response: CallResult): void {
    const header = response.headers.get('Allow')
    const received = new Set((header ?? '').split(',').map((method) => method.trim().toUpperCase()))
    const isEqual = allowed.every((method) => received.has(method)) && received.size === allowed.length
    if (response.asExpected && !isEqual) noteOn(id, response)('header Allow', allowed.join(', '), showHeader(header))
  }

  return [
    reads(id, `responds to OPTIONS ${path}`, async (context) => {
      const call = { method: 'OPTIONS', id: unknownIdOf(operation, context) }
      compareAllow(context, await context.call(id, call, { status: 204, bodiless: true, ofPath: true }))
    }),
    ...(other === undefined
      ? []
      : [
          writes(id, `returns 405 for ${other} ${path}`, async (context) => {
            const call = { method: other, id: unknownIdOf(operation, context), body: {} }
            compareAllow(context, await context.call(id, call, { code: 'METHOD_NOT_ALLOWED', ofPath: true }))
          }),
        ]),
  ]
}

function unknownPathCheck({ id }: OperationInfo): Check {
  return reads(id, 'returns 404 for an unknown path', async ({ call, marker }) => {
    await call(id, { path: `/${marker}` }, { code: 'ROUTE_NOT_FOUND', ofPath: true })
  })
}

function undecodableCheck(operation: OperationInfo): Check {
  const { id } = operation
  return reads(id, 'returns 400 for a path or query that cannot be decoded', async (context) => {
    const expected = { code: 'INVALID_REQUEST', ofPath: true } as const
    await context.call(id, { id: '%zz' }, expected)
    await context.call(id, { id: unknownIdOf(operation, context), query: 'x=%zz' }, expected)
  })
}
