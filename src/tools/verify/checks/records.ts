import { requiredIn } from '../../../document/schema/facts.js'
import { notFound } from '../../../engine/crud/messages.js'
import { readIdOf } from '../../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../../engine/resources/service-resource.js'
import { encodePart } from '../../../lib/text.js'
import { type Check, reads, writes } from '../check.js'
import { markOf, marksOf, requestSchema } from '../marks.js'
import { comparable } from '../own-records.js'
import { isPlain, itemsIn } from '../resources.js'

const TEXT = 'Created by petstore-mock verify'

/** Records are stored, returned, changed and deleted as the contract says. */
export function recordChecks(resources: readonly ServiceResource[]): Check[] {
  return resources.filter(isPlain).flatMap(checksOf)
}

function checksOf(resource: ServiceResource): Check[] {
  const { name, noun, operations, idPath, id: idOf } = resource
  const { create, read, remove } = operations
  const required = requiredIn(requestSchema(resource, 'create'))
  const optional = marksOf(resource)
    .slice(1)
    .filter(({ type, property }) => type === 'text' && !required.has(property))
  /** The optional texts with this value, apart from the one that marks a record. */
  const texts = (value?: string) => Object.fromEntries(optional.map(({ property }) => [property, value]))
  const idIs = (id: unknown) => (idOf.property?.length === 1 ? { [idPath[0]]: id } : {})
  const missing = { code: notFound(resource, '').code }
  const checks: Check[] = []

  if (create) {
    checks.push(
      writes(create.operationId, `stores the ${noun}, and returns its location`, async (context) => {
        await context.create(name)
        if (optional.length > 0) await context.create(name, texts(TEXT))
      }),
    )
  }
  if (read) {
    checks.push(
      reads(read.operationId, `returns the ${noun}`, async ({ call, any }) => {
        const id = await any(name)
        await call(read.operationId, { id }, { fields: idIs(id) })
      }),
    )
  }
  if (read && create) {
    checks.push(
      writes(read.operationId, 'returns what was stored', async (context) => {
        const { id, ...fields } = await context.create(name, texts(TEXT))
        await context.call(read.operationId, { id }, { fields: { ...comparable(resource, fields), ...idIs(id) } })
      }),
    )
  }
  for (const [role, does] of [
    ['replace', 'replaces'],
    ['merge', 'changes'],
  ] as const) {
    const operation = operations[role]
    if (operation?.request === undefined) continue
    checks.push(
      writes(operation.operationId, `${does} the ${noun}`, async (context) => {
        const { id, ...before } = await context.create(name, texts('Before'))
        const kept = Object.fromEntries(Object.entries(before).filter(([property]) => property in resource.references))
        const body = await context.newBody(resource, role, { ...kept, ...texts('After') })
        const fields = { ...comparable(resource, body), ...idIs(id) }
        const response = await context.call(operation.operationId, { id, body }, { fields })
        if (read && response.asExpected) await context.call(read.operationId, { id }, { fields })
      }),
    )
  }
  const filter = resource.list?.filters.find(({ property }) => property === markOf(resource, 'text')?.property)
  // Without a filter, the record may be on any page.
  const isListed = idOf.property !== undefined && (filter || resource.list?.paging === undefined)
  if (operations.list && create && isListed) {
    const list = operations.list.operationId
    checks.push(
      writes(list, `lists the ${noun}`, async (context) => {
        const created = await context.create(name)
        const query = filter && `${encodePart(filter.parameter)}=${encodePart(String(created[filter.property]))}`
        const response = await context.call(list, { query: query ?? '' })
        const ids = itemsIn(resource, response.value).map((item) => readIdOf(resource, item))
        const isThere = ids.includes(resource.ids.read(created.id)) || ids.includes(undefined)
        if (!response.asExpected || isThere) return
        context.noteOn(list, response)('body', `the ${noun} ${created.id} in the list`, `${ids.length} others`)
      }),
    )
  }
  if (remove) {
    checks.push(
      writes(remove.operationId, `deletes the ${noun}`, async (context) => {
        const { id } = await context.create(name)
        await context.call(remove.operationId, { id })
        if (read) await context.call(read.operationId, { id }, missing)
        await context.call(remove.operationId, { id }, missing)
      }),
    )
  }
  return checks
}
