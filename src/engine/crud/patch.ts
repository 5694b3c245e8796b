import { namesNull, propertiesIn, requiredIn } from '../../document/schema/facts.js'
import { ApiError } from '../../http/errors.js'
import { isPlainObject, type Json, ownMember, setMember, withoutUndefined } from '../../lib/values.js'
import { readIdOf, toJsonRecord, toStoredFields, writableFields } from '../resources/record-forms.js'
import { createEmbed } from './below.js'
import type { HandlerParts, ReadPatch, ResourceContext } from './handler.js'
import { readRecord } from './record-handlers.js'

const MERGE_PATCH = /^application\/merge-patch\+json\b/i

const JSON_PATCH = /^application\/json-patch\+json\b/i

/** Whether a request has a JSON Patch (RFC 6902) or a JSON Merge Patch (RFC 7396), rather than fields or a list of records. */
function isPatch({ headers, body }: Pick<ResourceContext, 'headers' | 'body'>): boolean {
  const type = headers['content-type'] ?? ''
  if (!Array.isArray(body)) return MERGE_PATCH.test(type)
  return JSON_PATCH.test(type) || body.some((each) => isPlainObject(each) && 'op' in each)
}

/** Throws a 422 error if the record would no longer conform to its schema. */
export function createPatch(parts: HandlerParts): ReadPatch {
  const { resource, all, tools } = parts
  const { schema, pointer } = resource.record
  const fields = writableFields(resource)
  const required = requiredIn(schema)
  const properties = propertiesIn(schema)
  const embed = createEmbed(resource, all)
  const isEmptied = (property: string) => required.has(property) && namesNull(properties.get(property) ?? {})

  return ({ headers, body, store }, current) => {
    if (!isPatch({ headers, body })) return undefined
    const json = toJsonRecord(resource, current)
    const patched = Array.isArray(body) ? patch(json, body) : mergePatch(json, readRecord(parts, body))
    if (!isPlainObject(patched)) throw invalidPatch('The patch leaves no object.')
    if (Array.isArray(body)) checkId(json, patched)
    const given = embed(
      store,
      Object.fromEntries(
        fields.map(({ property }) => {
          const value = ownMember(patched, property)
          return [property, value ?? (isEmptied(property) ? null : value)]
        }),
      ),
    )
    const named = resource.id.canChange ? { [resource.idPath[0]]: patched[resource.idPath[0]] } : {}
    const [violation] = tools.findViolations(pointer, withoutUndefined({ ...json, ...given, ...named }))
    if (violation !== undefined && tools.findViolations(pointer, json).length === 0) {
      throw invalidPatch(`The patched ${resource.noun} is invalid: ${violation}`)
    }
    const missing = fields.filter(({ property }) => given[property] === undefined)
    const changes = {
      ...Object.fromEntries(missing.map(({ stored }) => [stored, undefined])),
      ...toStoredFields({ ...resource, fields }, given),
    }
    return { changes, json: patched }
  }

  /** Operations name what they change: an id that stays would not be what they say. */
  function checkId(json: Json, patched: Json): void {
    const [before, after] = [readIdOf(resource, json), readIdOf(resource, patched)]
    if (before === after || (resource.id.canChange && after !== undefined)) return
    throw invalidPatch(`The patch changes the id of the ${resource.noun}.`)
  }

  function patch(json: Json, operations: readonly unknown[]): unknown {
    const result = tools.maker?.applyPatch(json, operations)
    if (result?.problem === undefined) return result?.value
    const { kind, message } = result.problem
    throw kind === 'test' ? new ApiError(409, 'PATCH_TEST_FAILED', message) : invalidPatch(message)
  }
}

function invalidPatch(message: string): ApiError {
  return new ApiError(422, 'INVALID_PATCH', message)
}

/** RFC 7396: members of objects are merged, and null removes one. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch
  const merged: Record<string, unknown> = isPlainObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else setMember(merged, name, mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, value))
  }
  return merged
}
