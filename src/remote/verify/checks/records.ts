import { notFound } from '../../../engine/resources/messages.js'
import { requiredIn } from '../../../engine/resources/schema-facts.js'
import type { ServiceResource } from '../../../engine/resources/service-resource.js'
import { type Check, reads, writes } from '../check.js'
import { markOf, marksOf } from '../marks.js'
import { requestSchema } from '../record-factory.js'

const TEXT = 'Created by petstore-mock verify'

/** Records are stored, returned, replaced and deleted as the contract says. */
export function recordChecks(resources: readonly ServiceResource[]): Check[] {
  return resources.filter(({ parents }) => parents.length === 0).flatMap(checksOf)
}

function checksOf(resource: ServiceResource): Check[] {
  const { name, noun, operations, idPath } = resource
  const [create, read, replace, remove] = [
    operations.create,
    operations.read,
    operations.replace,
    operations.remove,
  ].map((operation) => operation?.operationId)
  const required = requiredIn(requestSchema(resource, 'create'))
  const optional = marksOf(resource).flatMap(({ type, property }) =>
    type === 'text' && !required.has(property) ? [property] : [],
  )
  /** The optional texts with this value. */
  const texts = (value?: string) => Object.fromEntries(optional.map((property) => [property, value]))
  const idIs = (id: unknown) => ({ [idPath[0]]: id })
  const missing = { code: notFound(resource, '').code }
  const canWrite = create !== undefined && markOf(resource) !== undefined

  return [
    ...(create && canWrite
      ? [
          writes(create, `stores the ${noun}, and returns its location`, async (context) => {
            await context.create(name, {}, texts())
            if (optional.length === 0) return
            await context.create(name, texts(TEXT))
            await context.create(name, texts(''))
          }),
        ]
      : []),
    ...(read
      ? [
          reads(read, `returns the ${noun}`, async ({ call, any }) => {
            const id = await any(name)
            await call(read, { id }, { fields: idIs(id) })
          }),
        ]
      : []),
    ...(read && canWrite
      ? [
          writes(read, 'returns what was stored', async (context) => {
            const { id, ...fields } = await context.create(name, texts(TEXT))
            await context.call(read, { id }, { fields: { ...fields, ...idIs(id) } })
          }),
        ]
      : []),
    ...(replace && read && canWrite
      ? [
          writes(replace, `replaces the ${noun}, and removes fields that are left out`, async (context) => {
            const { call, newBody, newUnknownId } = context
            const { id, ...before } = await context.create(name, texts('Before'))
            const kept = Object.fromEntries(
              Object.entries(before).filter(([property]) => property in resource.references),
            )
            const full = await newBody(resource, 'replace', { ...kept, ...texts('After') })
            await call(replace, { id, body: full }, { fields: { ...full, ...idIs(id) } })
            const short = await newBody(resource, 'replace', kept)
            const fields = { ...texts(), ...short, ...idIs(id) }
            await call(replace, { id, body: { ...idIs(newUnknownId(resource)), ...short } }, { fields })
            await call(read, { id }, { fields })
          }),
        ]
      : []),
    ...(remove && canWrite
      ? [
          writes(remove, `deletes the ${noun}`, async (context) => {
            const { id } = await context.create(name)
            await context.call(remove, { id })
            for (const gone of [read, remove]) if (gone) await context.call(gone, { id }, missing)
          }),
        ]
      : []),
  ]
}
