import type { ErrorCode } from '../../engine/contract/errors.js'
import type { StoreOperationId } from '../../engine/contract/types.js'
import type { Bench, Call } from '../bench.js'
import { type Catalogue, type Described, methodsOf, pathsOf } from '../catalogue.js'
import { type Check, reads, writes } from '../check.js'
import { type Differ, showHeader } from '../differ.js'
import type { Stock } from '../stock.js'

/** What holds for every operation alike: which requests are refused before the store is asked, and how. */
export function requestChecks(catalogue: Catalogue): Check[] {
  return [
    ...[...catalogue.values()].flatMap((each) => [
      acceptCheck(each),
      ...(each.path.includes('{') ? [malformedIdCheck(each), unknownIdCheck(each)] : []),
      ...(each.takesBody ? [mediaTypeCheck(each), malformedBodyCheck(each)] : []),
      ...(each.method === 'GET' ? [headCheck(each)] : []),
    ]),
    ...[...pathsOf(catalogue).values()].flatMap((operations) => [optionsCheck(operations), methodCheck(operations)]),
    routeCheck,
    undecodableCheck,
  ]
}

/** A check of an operation that changes nothing, where it is one. */
function checkOf({ id, method }: Described, name: string, run: Check['run']): Check {
  return method === 'GET' ? reads(id, name, run) : writes(id, name, run)
}

/** A request that is fine but for what the check adds; what it is about need not exist. */
function sample({ id }: Described, bench: Bench): Call {
  const bodies: Partial<Record<StoreOperationId, object>> = {
    createPet: { name: 'Verify', categoryId: BigInt(bench.unknownId) },
    updatePet: { name: 'Verify', categoryId: BigInt(bench.unknownId) },
    createCategory: { name: 'Verify' },
    updateCategory: { name: 'Verify' },
    createOrder: { petId: BigInt(bench.unknownId) },
    updateOrder: { quantity: 1 },
    updateInventory: { quantity: 1 },
  }
  return { id: bench.unknownId, ...(bodies[id] && { body: bodies[id] }) }
}

function acceptCheck(described: Described): Check {
  return checkOf(described, 'answers 406 where Accept excludes JSON', async (bench) => {
    for (const accept of ['application/xml', 'application/json;q=0, */*']) {
      const call = { ...sample(described, bench), headers: { Accept: accept } }
      await bench.call(described.id, call, { code: 'NOT_ACCEPTABLE' })
    }
  })
}

/** No plus, no leading zero, no blank, no exponent, no other base, and nothing beyond 64 bits. */
const MALFORMED = ['abc', '01', '+1', '1.0', '1e2', '0x1', '%201', '-0', '9223372036854775808', '-9223372036854775809']

function malformedIdCheck(described: Described): Check {
  return checkOf(described, 'answers 400 for an id that is not a 64-bit integer in plain digits', async (bench) => {
    for (const id of MALFORMED) {
      await bench.call(described.id, { ...sample(described, bench), id }, { code: 'INVALID_REQUEST' })
    }
  })
}

const NOT_FOUND: Readonly<Record<string, ErrorCode>> = {
  '/pets/{petId}': 'PET_NOT_FOUND',
  '/categories/{categoryId}': 'CATEGORY_NOT_FOUND',
  '/store/orders/{orderId}': 'ORDER_NOT_FOUND',
  '/store/inventory/{petId}': 'PET_NOT_FOUND',
}

function unknownIdCheck(described: Described): Check {
  const code = NOT_FOUND[described.path] as ErrorCode
  return checkOf(described, `answers 404 ${code} for an id that nothing has`, async (bench) => {
    await bench.call(described.id, sample(described, bench), { code })
    await bench.call(described.id, { ...sample(described, bench), id: `-${bench.unknownId}` }, { code })
  })
}

const SAYS_WHAT_IS_TAKEN: Readonly<Record<string, string>> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' }

function mediaTypeCheck(described: Described): Check {
  return writes(described.id, 'answers 415 for a body that is not declared as plain JSON', async (bench) => {
    const name = SAYS_WHAT_IS_TAKEN[described.method]
    const headers = name === undefined ? {} : { [name]: 'application/json' }
    const declared = [
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json; charset=iso-8859-1' },
      { 'Content-Encoding': 'gzip' },
    ]
    for (const each of declared) {
      const call = { ...sample(described, bench), headers: each as Record<string, string> }
      await bench.call(described.id, call, { code: 'UNSUPPORTED_MEDIA_TYPE', headers })
    }
  })
}

function malformedBodyCheck(described: Described): Check {
  return writes(described.id, 'answers 400 MALFORMED_BODY for a body that is not JSON in UTF-8', async (bench) => {
    for (const raw of ['{"name":', '', '{} {}', new Uint8Array([0x22, 0xff, 0x22])]) {
      await bench.call(described.id, { id: bench.unknownId, raw }, { code: 'MALFORMED_BODY' })
    }
  })
}

function headCheck(described: Described): Check {
  return reads(described.id, 'answers HEAD as GET, without a body', async (bench, stock) => {
    const call = { method: 'HEAD', ...(await existing(described, stock)) }
    const answer = await bench.call(described.id, call, { bodiless: true })
    if (!answer.asExpected) return
    const differ = bench.differ(described.id, answer)
    const type = answer.headers.get('Content-Type')
    if (!type?.startsWith('application/json')) differ('header Content-Type', 'application/json', showHeader(type))
    if (described.isList && !answer.headers.has('X-Total-Count')) {
      differ('header X-Total-Count', 'a whole number', 'no such header')
    }
    await bench.call(described.id, { ...call, headers: { Accept: 'text/html' } }, { status: 406, bodiless: true })
  })
}

/** The way to something that is there, of the kind that an operation reads. */
async function existing({ path }: Described, stock: Stock): Promise<Call> {
  if (!path.includes('{')) return {}
  if (path.startsWith('/categories')) return { id: (await stock.anyCategory()).id }
  return { id: path.startsWith('/store/orders') ? await stock.anyOrder() : (await stock.anyPet()).id }
}

function optionsCheck(operations: readonly Described[]): Check {
  const [first] = operations as [Described]
  return reads(first.id, `answers OPTIONS of ${first.path}`, async (bench) => {
    const call = { method: 'OPTIONS', id: '1' }
    const answer = await bench.call(first.id, call, { status: 204, bodiless: true, ofPath: true })
    if (answer.asExpected) judgeAllow(operations, answer.headers.get('Allow'), bench.differ(first.id, answer))
  })
}

function methodCheck(operations: readonly Described[]): Check {
  const [first] = operations as [Described]
  const methods = methodsOf(operations)
  const method = ['PATCH', 'PUT'].find((each) => !methods.includes(each)) as string
  return writes(first.id, `answers 405 for ${method} ${first.path}`, async (bench) => {
    const call = { method, id: bench.unknownId, body: {} }
    const answer = await bench.call(first.id, call, { code: 'METHOD_NOT_ALLOWED', ofPath: true })
    if (answer.asExpected) judgeAllow(operations, answer.headers.get('Allow'), bench.differ(first.id, answer))
  })
}

function judgeAllow(operations: readonly Described[], header: string | null, differ: Differ): void {
  const wanted = methodsOf(operations)
  const given = new Set((header ?? '').split(',').map((method) => method.trim().toUpperCase()))
  if (wanted.every((method) => given.has(method)) && given.size === wanted.length) return
  differ('header Allow', wanted.join(', '), showHeader(header))
}

const routeCheck = reads('listPets', 'answers 404 for a path that the document does not have', async (bench) => {
  await bench.call('listPets', { path: `/${bench.word}` }, { code: 'ROUTE_NOT_FOUND', ofPath: true })
})

const undecodableCheck = reads('getPet', 'answers 400 for a path or query that cannot be decoded', async (bench) => {
  await bench.call('getPet', { id: '%zz' }, { code: 'INVALID_REQUEST', ofPath: true })
  await bench.call('getPet', { id: bench.unknownId, query: 'x=%zz' }, { code: 'INVALID_REQUEST', ofPath: true })
})
