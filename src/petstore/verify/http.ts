import { onlyTypeOf, propertiesIn, requiredIn } from '../../document/schema/facts.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { stringifyJson } from '../../lib/json.js'
import { NO_HEADER, showHeader } from '../../tools/server/differences.js'
import { JSON_TYPE } from '../../tools/server/send-request.js'
import type { CallResult } from '../../tools/verify/caller.js'
import { type Check, type Context, reads, writes } from '../../tools/verify/check.js'
import { withRaw } from '../../tools/verify/checks/bodies.js'
import { checkOf } from '../../tools/verify/checks/requests.js'
import { markOf, marksOf, requestSchema } from '../../tools/verify/marks.js'
import type { OperationInfo } from '../../tools/verify/operations.js'
import { TOTAL } from './compare-page.js'

/** What every operation and path promises beside the document: methods, headers, and what is ignored in a body. */
export function httpChecks(all: readonly OperationInfo[], resources: readonly ServiceResource[]): Check[] {
  const paths = [...new Set(all.map(({ path }) => path))]
  return [
    ...all.flatMap((each) => [
      acceptCheck(each),
      ...(each.contract.takesBody && each.owner ? [sequenceCheck(each)] : []),
      ...(each.method === 'GET' && each.path.split('{').length <= 2 ? [headCheck(each)] : []),
    ]),
    ...paths.flatMap((path) => pathChecks(all.filter((each) => each.path === path))),
    ...resources.flatMap(creationChecks),
  ]
}

function acceptCheck(operation: OperationInfo): Check {
  return checkOf(operation, 'returns 406 if Accept excludes JSON', async (context) => {
    for (const accept of ['application/xml', 'application/json;q=0, */*']) {
      const call = { ...(await context.newCall(operation)), headers: { Accept: accept } }
      await context.call(operation.id, call, { code: 'NOT_ACCEPTABLE' })
    }
  })
}

function sequenceCheck({ id, owner }: OperationInfo): Check {
  return writes(id, 'validates the body before it looks for the record', async ({ call, unknownId }) => {
    await call(id, { id: unknownId(owner as ServiceResource), raw: '[]' }, { code: 'INVALID_REQUEST' })
  })
}

function headCheck({ id, owner, described }: OperationInfo): Check {
  return reads(id, 'responds to HEAD as to GET, without a body', async ({ call, noteOn, any }) => {
    const head = { method: 'HEAD', ...(owner && { id: await any(owner.storedIn) }) }
    const response = await call(id, head, { bodiless: true })
    if (!response.asExpected) return
    const note = noteOn(id, response)
    const type = response.headers.get('Content-Type')
    if (!type?.startsWith(JSON_TYPE)) note('header Content-Type', JSON_TYPE, showHeader(type))
    const hasTotal = response.headers.has(TOTAL) || !described?.headers.includes(TOTAL)
    if (!hasTotal) note(`header ${TOTAL}`, 'a whole number', NO_HEADER)
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
      const call = { method: 'OPTIONS', ...(await context.newCall(operation)), body: undefined }
      compareAllow(context, await context.call(id, call, { status: 204, bodiless: true, ofPath: true }))
    }),
    ...(other === undefined
      ? []
      : [
          writes(id, `returns 405 for ${other} ${path}`, async (context) => {
            const call = { ...(await context.newCall(operation)), method: other, body: {} }
            compareAllow(context, await context.call(id, call, { code: 'METHOD_NOT_ALLOWED', ofPath: true }))
          }),
        ]),
  ]
}

function creationChecks(resource: ServiceResource): Check[] {
  const operation = resource.operations.create?.operationId
  const mark = markOf(resource, 'text')?.property
  if (operation === undefined || mark === undefined) return []
  const schema = requestSchema(resource, 'create')
  const required = requiredIn(schema)
  const optional = marksOf(resource)
    .slice(1)
    .filter(({ type, property }) => type === 'text' && !required.has(property))
  const referring = [...required].filter((property) => property in resource.references)
  const reference = referring.find((property) => onlyTypeOf(propertiesIn(schema).get(property) ?? {}) === 'integer')
  const referTo = async (context: Context) => {
    const referred: Record<string, unknown> = {}
    for (const each of referring) referred[each] = await context.any(resource.references[each] as string)
    return referred
  }
  const [idName] = resource.idPath
  return [
    writes(operation, 'ignores an id and fields that the schema does not have', async (context) => {
      const id = context.newUnknownId(resource)
      const sent = await context.newBody(resource, 'create', await referTo(context))
      const names = optional.map(({ property }) => property)
      const hidden = stringifyJson(Object.fromEntries(names.map((property) => [property, 'no'])))
      const members = stringifyJson(sent)?.slice(1, -1)
      const raw = `{"${idName}":${stringifyJson(id)},${members},"colour":"red","__proto__":${hidden}}`
      const absent = Object.fromEntries(['colour', ...names].map((each) => [each, undefined]))
      const created = await context.call(operation, { raw }, { fields: { ...sent, ...absent } })
      if (created.id !== id) return
      context.noteOn(operation, created)(`body /${idName}`, 'an id that the service chose', String(id))
    }),

    ...(reference === undefined
      ? []
      : [
          writes(operation, 'accepts every JSON spelling of an integer, and UTF-8', async (context) => {
            const referred = await referTo(context)
            const { [reference]: id, ...sent } = await context.newBody(resource, 'create', referred)
            const body = { ...sent, [mark]: `${sent[mark]} ☂ 🐈` }
            const raw = withRaw(body, reference, `${id}.0`)
            const headers = { 'Content-Type': 'application/json; charset="UTF-8"' }
            await context.call(operation, { raw, headers }, { fields: { ...body, ...referred } })
          }),
        ]),
  ]
}
