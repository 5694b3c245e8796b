import { propertiesIn } from '../../document/schema/facts.js'
import { disclose } from '../../engine/crud/envelope.js'
import { describeId, readIdOf } from '../../engine/resources/record-forms.js'
import { show, showHeader } from '../../tools/server/differences.js'
import { isObject, isSuccess, objectsIn } from '../../tools/server/service-response.js'
import type { CalledOperation } from '../../tools/verify/caller.js'
import { compareFields } from '../../tools/verify/compare-response.js'
import { inBody } from '../../tools/verify/findings.js'
import { isListOperation } from '../../tools/verify/operations.js'
import type { Promises } from '../../tools/verify/verify.js'
import { openapi } from '../documents.js'
import { categoryChecks } from './categories.js'
import { comparePage, hasOffsets, TOTAL } from './compare-page.js'
import { httpChecks } from './http.js'
import { identifierChecks } from './identifiers.js'
import { inventoryChecks } from './inventory.js'
import { compareLifecycleHeaders } from './lifecycle-headers.js'
import { listChecks } from './list-pages.js'
import { createListedOrders } from './lists.js'
import { orderChecks } from './orders.js'
import { petChecks } from './pets.js'

/** What the Pet Store promises, and its document does not say. */
export const promises: Promises = {
  rules: [...categoryChecks, ...petChecks, ...inventoryChecks, ...orderChecks],
  checks: (operations, { all }) => {
    const lists = [...operations.values()].filter(isListOperation)
    return [
      ...listChecks(lists, { orders: createListedOrders }),
      ...identifierChecks(lists, all),
      ...httpChecks([...operations.values()], all),
    ]
  },
  compare(called) {
    const { expected, response, operation, note } = called
    const isOtherSuccess = !('code' in expected) && isSuccess(response)
    if (!response.asExpected && !isOtherSuccess) return
    if (!('ofPath' in expected)) compareLifecycleHeaders(operation, response, note)
    if ('code' in expected) return compareError(called)
    if (!response.asExpected || 'bodiless' in expected) return
    compareForms(called)
    if (hasOffsets(operation)) compareTotal(called)
  },
}

function compareError({ operation: { contract }, expected, response, note }: CalledOperation): void {
  const { headers = {}, code } = { code: '', ...expected } as { headers?: Record<string, string>; code: string }
  for (const [name, content] of Object.entries(headers)) {
    const value = response.headers.get(name)
    if (!value?.toLowerCase().includes(content)) note(`header ${name}`, content, showHeader(value))
  }
  const noteAt = inBody(note, true)
  const { value, status } = response
  if (!isObject(value)) return
  const { Error: shape } = (openapi.document as { components: { schemas: Record<string, object> } }).components.schemas
  const declared = [...propertiesIn(contract.shapeOf(status)?.schema ?? shape).keys()]
  const members = Object.entries({ code, status }).filter(([name]) => declared.includes(name))
  compareFields(value, Object.fromEntries(members), noteAt)
  for (const name of Object.keys(value).filter((member) => !declared.includes(member))) {
    noteAt(`/${name.replaceAll(/[^\w.-]/g, '_').slice(0, 40)}`, 'no such member', 'one')
  }
  if (value.message === '') noteAt('/message', 'a sentence', 'an empty string')
}

/** What the schema of a record does not say: it has an id, and its values are as the service writes them. */
function compareForms({ operation: { resource, described }, response, note }: CalledOperation): void {
  const content = disclose(described?.response?.envelope ?? [], response.value)
  for (const record of [...objectsIn(content), content]) {
    if (!isObject(record) || Array.isArray(record) || resource === undefined) continue
    const parent = Array.isArray(content) ? 'body /*' : 'body '
    if (readIdOf(resource, record) === undefined)
      note(`${parent}/${resource.idPath[0]}`, describeId(resource), 'nothing')
    for (const [property, normalize] of Object.entries(resource.additions.normalize ?? {})) {
      const value = record[property]
      if (typeof value !== 'string' || normalize(value) === value) continue
      note(`${parent}/${property}`, show(normalize(value)), show(value))
    }
  }
}

function compareTotal({ operation, call, response, note, basePath, hasDiffered }: CalledOperation): void {
  const items = disclose(operation.described?.response?.envelope ?? [], response.value)
  const query = new URLSearchParams(call.query)
  const page = { operation, basePath, query, total: call.total, totalIsWrong: hasDiffered(`header ${TOTAL}`) }
  comparePage(page, response.headers, items, note)
}
