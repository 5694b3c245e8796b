import { notFound } from '../../../engine/crud/messages.js'
import type { ServiceResource } from '../../../engine/resources/service-resource.js'
import { isSafeMethod } from '../../../http/methods.js'
import { CannotCheck } from '../../server/cannot-check.js'
import { JSON_TYPE } from '../../server/send-request.js'
import { type Check, reads, writes } from '../check.js'
import type { OperationInfo } from '../operations.js'
import { isPlain } from '../resources.js'

/** Which requests are rejected before any record is looked for, and those about records that do not exist. */
export function requestChecks(all: readonly OperationInfo[], isExact: boolean): Check[] {
  return [
    ...all.flatMap((each) => {
      const { owner, role, resource, contract } = each
      const isOwn = owner && isPlain(owner) && resource !== undefined && each.path === resource.itemPath
      const canCreate = role === 'replace' && resource?.operations.replace?.created !== undefined
      return [
        ...(isOwn && each.method === 'GET' ? [malformedIdCheck(each, owner)] : []),
        ...(isOwn && !canCreate && !owner.hasUnknownIds ? [unknownIdCheck(each, owner)] : []),
        ...(contract.takesBody && resource && isPlain(resource) ? bodyChecks(each, isExact) : []),
      ]
    }),
    ...all
      .filter(({ role }) => role === 'list')
      .slice(0, 1)
      .map(unknownPathCheck),
    ...all
      .filter(({ method, owner, path }) => method === 'GET' && path === owner?.itemPath)
      .slice(0, 1)
      .map(undecodableCheck),
  ]
}

/** What remains are operations whose effect the document does not say: those that only read can be called. */
export function otherChecks(all: readonly OperationInfo[]): Check[] {
  return all.map(({ id, method, path, owner, contract }) => {
    const name = 'responds as the document says'
    if (!isSafeMethod(method)) {
      return writes(id, name, async () => {
        throw new CannotCheck(`the document does not say what ${method} ${path} changes`)
      })
    }
    return reads(id, name, async ({ call, any }) => {
      if (contract.mediaTypes.includes('text/event-stream')) throw new CannotCheck('its response does not end')
      const known = owner && isPlain(owner) ? { id: await any(owner.storedIn) } : {}
      await call(id, known, { anyStatus: true })
    })
  })
}

export const checkOf = ({ id, method }: OperationInfo, name: string, run: Check['run']): Check =>
  method === 'GET' ? reads(id, name, run) : writes(id, name, run)

/** Spellings of an unknown id with a plus, a leading zero, a space, an exponent …, and ids of more than 64 bits. */
function malformedIdCheck({ id }: OperationInfo, owner: ServiceResource): Check {
  return reads(id, 'returns 400 for an id that is malformed', async ({ expectInvalid, unknownId }) => {
    const spellings = ['x#', '0#', '+#', '#.0', '#e2', '%20#', '-0#', '9#', '-9#']
    const texts = spellings.map((each) => each.replace('#', encodeURIComponent(unknownId(owner))))
    for (const rawId of [...texts, '-0', '9223372036854775808', '-9223372036854775809', '0x1f']) {
      await expectInvalid(id, { rawId }, 'INVALID_REQUEST')
    }
  })
}

function unknownIdCheck(operation: OperationInfo, owner: ServiceResource): Check {
  const { code } = notFound(owner, '')
  return checkOf(operation, `returns 404 ${code} for an unknown id`, async (context) => {
    await context.call(operation.id, await context.newCall(operation), { code })
  })
}

const ACCEPT_HEADERS: Readonly<Record<string, string>> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' }

function bodyChecks(operation: OperationInfo, isExact: boolean): Check[] {
  const { id, method } = operation
  const types = ['text/plain', ...(isExact ? ['application/json; charset=iso-8859-1'] : [])]
  const accepted = ACCEPT_HEADERS[method]
  const headers = accepted ? { [accepted]: JSON_TYPE } : {}
  return [
    writes(id, 'returns 415 for a body that is not declared as plain JSON', async (context) => {
      for (const type of types) {
        const call = { ...(await context.newCall(operation)), headers: { 'Content-Type': type } }
        await context.expectInvalid(id, call, 'UNSUPPORTED_MEDIA_TYPE', { headers })
      }
    }),
    writes(id, 'returns 400 MALFORMED_BODY for a body that is not JSON in UTF-8', async (context) => {
      for (const raw of ['{"name":', '', '{} {}', new Uint8Array([0x22, 0xff, 0x22])]) {
        const { id: unknown } = await context.newCall(operation)
        await context.expectInvalid(id, { id: unknown, raw }, 'MALFORMED_BODY')
      }
    }),
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
    await context.expectInvalid(id, { rawId: '%zz' }, 'INVALID_REQUEST', { ofPath: true })
    const call = { ...(await context.newCall(operation)), query: 'x=%zz' }
    await context.expectInvalid(id, call, 'INVALID_REQUEST', { ofPath: true })
  })
}
