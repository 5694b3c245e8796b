import { type Check, forEachAllowed, reads, writes } from '../check.js'
import type { Call, Client } from '../client.js'
import type { Note } from '../findings.js'
import { allowedMethods, groupByPath, type OperationInfo, type Operations } from '../operations.js'
import type { Records } from '../records.js'
import { type Kind, parseTarget, RESOURCES } from '../resources.js'
import { NO_HEADER, showHeader } from '../show.js'

/** Checks that every operation has: which requests are rejected before any record is looked for, and how. */
export function requestChecks(operations: Operations): Check[] {
  return [
    ...Object.values(operations).flatMap((each) => [
      acceptCheck(each),
      ...(each.path.includes('{') ? [malformedIdCheck(each), unknownIdCheck(each)] : []),
      ...(each.takesBody ? [mediaTypeCheck(each), malformedBodyCheck(each)] : []),
      ...(each.method === 'GET' ? [headCheck(each)] : []),
    ]),
    ...groupByPath(operations).flatMap((ofPath) => [optionsCheck(ofPath), methodCheck(ofPath)]),
    unknownPathCheck,
    undecodableCheck,
  ]
}

function checkOf({ id, method }: OperationInfo, name: string, run: Check['run']): Check {
  return method === 'GET' ? reads(id, name, run) : writes(id, name, run)
}

/** A valid request about an id that no record has; should it create a record, that can be recognised as ours. */
function sampleCall({ id }: OperationInfo, { unknownId, unknownReference }: Client, records: Records): Call {
  const bodies: Readonly<Record<string, () => object>> = {
    createPet: () => ({ name: records.name(), categoryId: unknownReference }),
    updatePet: () => ({ name: records.name(), categoryId: unknownReference }),
    createCategory: () => ({ name: records.name() }),
    updateCategory: () => ({ name: records.name() }),
    createOrder: () => ({ petId: unknownReference, shipDate: records.shipDate() }),
    updateOrder: () => ({ quantity: 1, shipDate: records.shipDate() }),
    updateInventory: () => ({ quantity: 1 }),
  }
  const body = bodies[id]?.()
  return { id: unknownId, ...(body && { body }) }
}

function acceptCheck(operation: OperationInfo): Check {
  return checkOf(operation, 'returns 406 if Accept excludes JSON', async (client, records) => {
    for (const accept of ['application/xml', 'application/json;q=0, */*']) {
      const call = { ...sampleCall(operation, client, records), headers: { Accept: accept } }
      await client.call(operation.id, call, { code: 'NOT_ACCEPTABLE' })
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
  return checkOf(
    operation,
    'returns 400 for an id that is not a 64-bit integer in plain digits',
    async (client, records) => {
      await forEachAllowed(malformedIds(operation, client.unknownId), (id) =>
        client.call(operation.id, { ...sampleCall(operation, client, records), id }, { code: 'INVALID_REQUEST' }),
      )
    },
  )
}

function unknownIdCheck(operation: OperationInfo): Check {
  const code = RESOURCES[kindOf(operation)].notFound
  return checkOf(operation, `returns 404 ${code} for an unknown id`, async (client, records) => {
    for (const id of [client.unknownId, `-${client.unknownId}`]) {
      await client.call(operation.id, { ...sampleCall(operation, client, records), id }, { code })
    }
  })
}

const kindOf = ({ path }: OperationInfo): Kind => parseTarget(path).kind as Kind

const ACCEPT_HEADERS: Readonly<Record<string, string>> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' }

function mediaTypeCheck(operation: OperationInfo): Check {
  return writes(operation.id, 'returns 415 for a body that is not declared as plain JSON', async (client, records) => {
    const name = ACCEPT_HEADERS[operation.method]
    const expected = name === undefined ? {} : { [name]: 'application/json' }
    for (const headers of [
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json; charset=iso-8859-1' },
      { 'Content-Encoding': 'gzip' },
    ] as Record<string, string>[]) {
      const call = { ...sampleCall(operation, client, records), headers }
      await client.call(operation.id, call, { code: 'UNSUPPORTED_MEDIA_TYPE', headers: expected })
    }
  })
}

function malformedBodyCheck(operation: OperationInfo): Check {
  return writes(
    operation.id,
    'returns 400 MALFORMED_BODY for a body that is not JSON in UTF-8',
    async ({ call, unknownId }) => {
      for (const raw of ['{"name":', '', '{} {}', new Uint8Array([0x22, 0xff, 0x22])]) {
        await call(operation.id, { id: unknownId, raw }, { code: 'MALFORMED_BODY' })
      }
    },
  )
}

function headCheck(operation: OperationInfo): Check {
  return reads(operation.id, 'responds to HEAD as to GET, without a body', async (client, records) => {
    const call = { method: 'HEAD', ...(await callExisting(operation, records)) }
    const response = await client.call(operation.id, call, { bodiless: true })
    if (!response.asExpected) return
    const note = client.noteOn(operation.id, response)
    const type = response.headers.get('Content-Type')
    if (!type?.startsWith('application/json')) note('header Content-Type', 'application/json', showHeader(type))
    if (operation.isList && !response.headers.has('X-Total-Count')) {
      note('header X-Total-Count', 'a whole number', NO_HEADER)
    }
    await client.call(operation.id, { ...call, headers: { Accept: 'text/html' } }, { status: 406, bodiless: true })
  })
}

/** A call about a record that exists. */
async function callExisting(operation: OperationInfo, records: Records): Promise<Call> {
  if (!operation.path.includes('{')) return {}
  const find = { category: records.anyCategory, pet: records.anyPet, order: records.anyOrder }[kindOf(operation)]
  return { id: (await find()).id }
}

function optionsCheck(operations: readonly OperationInfo[]): Check {
  const [first] = operations as [OperationInfo]
  return reads(first.id, `responds to OPTIONS ${first.path}`, async (client) => {
    const call = { method: 'OPTIONS', id: client.unknownId }
    const response = await client.call(first.id, call, { status: 204, bodiless: true, ofPath: true })
    if (response.asExpected) compareAllow(operations, response.headers.get('Allow'), client.noteOn(first.id, response))
  })
}

function methodCheck(operations: readonly OperationInfo[]): Check {
  const [first] = operations as [OperationInfo]
  const method = allowedMethods(operations).includes('PATCH') ? 'PUT' : 'PATCH'
  return writes(first.id, `returns 405 for ${method} ${first.path}`, async (client) => {
    const call = { method, id: client.unknownId, body: {} }
    const response = await client.call(first.id, call, { code: 'METHOD_NOT_ALLOWED', ofPath: true })
    if (response.asExpected) compareAllow(operations, response.headers.get('Allow'), client.noteOn(first.id, response))
  })
}

function compareAllow(operations: readonly OperationInfo[], header: string | null, note: Note): void {
  const expected = allowedMethods(operations)
  const received = new Set((header ?? '').split(',').map((method) => method.trim().toUpperCase()))
  if (expected.every((method) => received.has(method)) && received.size === expected.length) return
  note('header Allow', expected.join(', '), showHeader(header))
}

const unknownPathCheck = reads('listPets', 'returns 404 for an unknown path', async ({ call }, { marker }) => {
  await call('listPets', { path: `/${marker}` }, { code: 'ROUTE_NOT_FOUND', ofPath: true })
})

const undecodableCheck = reads('getPet', 'returns 400 for a path or query that cannot be decoded', async (client) => {
  const expected = { code: 'INVALID_REQUEST', ofPath: true } as const
  await client.call('getPet', { id: '%zz' }, expected)
  await client.call('getPet', { id: client.unknownId, query: 'x=%zz' }, expected)
})
