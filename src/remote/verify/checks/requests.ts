import { NO_HEADER, showHeader } from '../../differences.js'
import type { OperationInfo, Operations } from '../../operations.js'
import { type Kind, NOT_FOUND, parseTarget } from '../../resources.js'
import { JSON_TYPE } from '../../send-request.js'
import type { Call, CallResult } from '../caller.js'
import { type Check, type Context, forEachAllowed, reads, writes } from '../check.js'

/** Checks that every operation has: which requests are rejected before any record is looked for, and how. */
export function requestChecks(operations: Operations): Check[] {
  const all = Object.values(operations)
  const paths = [...new Set(all.map(({ path }) => path))]
  return [
    ...all.flatMap((each) => [
      acceptCheck(each),
      ...(each.path.includes('{') ? [malformedIdCheck(each), unknownIdCheck(each)] : []),
      ...(each.contract.takesBody ? [mediaTypeCheck(each), malformedBodyCheck(each)] : []),
      ...(each.method === 'GET' ? [headCheck(each)] : []),
    ]),
    ...paths.flatMap((path) => pathChecks(all.filter((each) => each.path === path))),
    unknownPathCheck,
    undecodableCheck,
  ]
}

function checkOf({ id, method }: OperationInfo, name: string, run: Check['run']): Check {
  return method === 'GET' ? reads(id, name, run) : writes(id, name, run)
}

/** A valid request about an id that no record has; should it create a record, that can be recognised as ours. */
function sampleCall({ id }: OperationInfo, context: Context): Call {
  const { unknownId, unknownReference, borrowed, newName, newDate } = context
  // If verify could not read a category, it does not know either which ids no category has.
  const categoryId = borrowed.category ?? unknownReference
  const bodies: Readonly<Record<string, () => object>> = {
    createPet: () => ({ name: newName(), categoryId }),
    updatePet: () => ({ name: newName(), categoryId }),
    createCategory: () => ({ name: newName() }),
    updateCategory: () => ({ name: newName() }),
    createOrder: () => ({ petId: unknownReference, shipDate: newDate() }),
    updateOrder: () => ({ quantity: 1, shipDate: newDate() }),
    updateInventory: () => ({ quantity: 1 }),
  }
  return { id: unknownId, body: bodies[id]?.() }
}

function acceptCheck(operation: OperationInfo): Check {
  return checkOf(operation, 'returns 406 if Accept excludes JSON', async (context) => {
    for (const accept of ['application/xml', 'application/json;q=0, */*']) {
      const call = { ...sampleCall(operation, context), headers: { Accept: accept } }
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
    await forEachAllowed(malformedIds(operation, context.unknownId), (id) =>
      context.call(operation.id, { ...sampleCall(operation, context), id }, { code: 'INVALID_REQUEST' }),
    )
  })
}

function unknownIdCheck(operation: OperationInfo): Check {
  const code = NOT_FOUND[kindOf(operation)]
  return checkOf(operation, `returns 404 ${code} for an unknown id`, async (context) => {
    for (const id of [context.unknownId, `-${context.unknownId}`]) {
      await context.call(operation.id, { ...sampleCall(operation, context), id }, { code })
    }
  })
}

const kindOf = ({ path }: OperationInfo): Kind => parseTarget(path).kind as Kind

const ACCEPT_HEADERS: Readonly<Record<string, string>> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' }

function mediaTypeCheck(operation: OperationInfo): Check {
  return writes(operation.id, 'returns 415 for a body that is not declared as plain JSON', async (context) => {
    const name = ACCEPT_HEADERS[operation.method]
    const expected = name === undefined ? {} : { [name]: JSON_TYPE }
    for (const headers of [
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json; charset=iso-8859-1' },
      { 'Content-Encoding': 'gzip' },
    ] as Record<string, string>[]) {
      const call = { ...sampleCall(operation, context), headers }
      await context.call(operation.id, call, { code: 'UNSUPPORTED_MEDIA_TYPE', headers: expected })
    }
  })
}

function malformedBodyCheck({ id }: OperationInfo): Check {
  const name = 'returns 400 MALFORMED_BODY for a body that is not JSON in UTF-8'
  return writes(id, name, async ({ call, unknownId }) => {
    for (const raw of ['{"name":', '', '{} {}', new Uint8Array([0x22, 0xff, 0x22])]) {
      await call(id, { id: unknownId, raw }, { code: 'MALFORMED_BODY' })
    }
  })
}

function headCheck(operation: OperationInfo): Check {
  const { id, path, isList } = operation
  return reads(id, 'responds to HEAD as to GET, without a body', async ({ call, noteOn, any }) => {
    const head = { method: 'HEAD', ...(path.includes('{') && { id: await any(kindOf(operation)) }) }
    const response = await call(id, head, { bodiless: true })
    if (!response.asExpected) return
    const note = noteOn(id, response)
    const type = response.headers.get('Content-Type')
    if (!type?.startsWith(JSON_TYPE)) note('header Content-Type', JSON_TYPE, showHeader(type))
    if (isList && !response.headers.has('X-Total-Count')) note('header X-Total-Count', 'a whole number', NO_HEADER)
    await call(id, { ...head, headers: { Accept: 'text/html' } }, { status: 406, bodiless: true })
  })
}

/** Which methods a path allows. */
function pathChecks(operations: readonly OperationInfo[]): Check[] {
  const [{ id, path }] = operations as [OperationInfo]
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const allowed = [...methods, 'OPTIONS']
  const other = allowed.includes('PATCH') ? 'PUT' : 'PATCH'

  function compareAllow({ noteOn }: Context, response: CallResult): void {
    const header = response.headers.get('Allow')
    const received = new Set((header ?? '').split(',').map((method) => method.trim().toUpperCase()))
    const isEqual = allowed.every((method) => received.has(method)) && received.size === allowed.length
    if (response.asExpected && !isEqual) noteOn(id, response)('header Allow', allowed.join(', '), showHeader(header))
  }

  return [
    reads(id, `responds to OPTIONS ${path}`, async (context) => {
      const call = { method: 'OPTIONS', id: context.unknownId }
      compareAllow(context, await context.call(id, call, { status: 204, bodiless: true, ofPath: true }))
    }),
    writes(id, `returns 405 for ${other} ${path}`, async (context) => {
      const call = { method: other, id: context.unknownId, body: {} }
      compareAllow(context, await context.call(id, call, { code: 'METHOD_NOT_ALLOWED', ofPath: true }))
    }),
  ]
}

const unknownPathCheck = reads('listPets', 'returns 404 for an unknown path', async ({ call, marker }) => {
  await call('listPets', { path: `/${marker}` }, { code: 'ROUTE_NOT_FOUND', ofPath: true })
})

const undecodableCheck = reads(
  'getPet',
  'returns 400 for a path or query that cannot be decoded',
  async ({ call, unknownId }) => {
    const expected = { code: 'INVALID_REQUEST', ofPath: true } as const
    await call('getPet', { id: '%zz' }, expected)
    await call('getPet', { id: unknownId, query: 'x=%zz' }, expected)
  },
)
