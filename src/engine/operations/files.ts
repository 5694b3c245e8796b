import type { Download } from '../../document/operations/meaning.js'
import { normalize } from '../../document/resources/names.js'
import { isValid } from '../../document/sample/fit-value.js'
import { filesOf, type SentFile } from '../../document/validate/bodies.js'
import { readJson } from '../../document/validate/text-values.js'
import { FILE_CONTENT_TYPE, FILE_NAME, FILE_SIZE, OWN_NAME, RECORD_PART } from '../../document/words/files.js'
import { isHeaderValue } from '../../http/header-rules.js'
import { fromBase64, toBase64 } from '../../lib/text.js'
import { isPlainObject, type Json, ownMember } from '../../lib/values.js'
import { notFoundIn, toOwnPath } from '../crud/find.js'
import { createFinder } from '../crud/finder.js'
import type { GenericHandler, MeaningParts } from '../crud/handler.js'
import type { StoredRecord } from '../resources/additions.js'
import { atItemPath } from '../resources/parents.js'
import { FILE } from '../resources/record-forms.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'

/** The content of a larger file is not kept. */
const MAX_CONTENT = 1_000_000

interface StoredFile {
  readonly type: string
  /** In Base64, because a state is JSON. */
  readonly content: string
}

/** A form with the members of those parts that are JSON and stand for the record. A file alone has none. */
export function mergeParts(body: unknown): unknown {
  const files = filesOf(body)
  if (files === undefined || !isPlainObject(body)) return body
  if (files.some(({ part }) => part === undefined)) return {}
  const merged = Object.entries(body).flatMap(([name, value]) => {
    const inner = typeof value === 'string' ? readJson(value) : value
    return RECORD_PART.test(normalize(name)) && isPlainObject(inner) ? [inner] : []
  })
  return merged.length === 0 ? body : Object.fromEntries([body, ...merged].flatMap((each) => Object.entries(each)))
}

/**
 * Puts what is known of an uploaded file into the properties of a record that say it, unless the request has these itself, and
 * keeps its content. Undefined for a resource without files.
 */
export function createFileKeeper({ holdsFiles, fields }: ServiceResource) {
  if (!holdsFiles) return undefined
  return (record: StoredRecord, body: unknown): StoredRecord => {
    const [file] = filesOf(body) ?? []
    if (file === undefined) return record
    const sent = Object(mergeParts(body)) as Json
    const isRaw = file.part === undefined
    const told = fields.flatMap(({ property, stored, schema }) => {
      const isSent = !isRaw && ownMember(sent, property) !== undefined && property !== file.part
      const value = isSent ? undefined : factsOf(normalize(property), file).find((each) => isValid(schema, each))
      return value === undefined ? [] : [[stored, value]]
    })
    const { type, content } = file
    const kept: StoredFile | undefined = content.length > MAX_CONTENT ? undefined : { type, content: toBase64(content) }
    return { ...record, ...Object.fromEntries(told), [FILE]: kept }
  }
}

function factsOf(name: string, { name: fileName, type, content }: SentFile): readonly unknown[] {
  if (FILE_NAME.test(name) || OWN_NAME.test(name)) return fileName === undefined ? [] : [fileName]
  if (FILE_SIZE.test(name)) return [content.length, String(content.length)]
  return FILE_CONTENT_TYPE.test(name) ? [type] : []
}

/** Returns the file that was uploaded for a record, else what the document says. */
export function createDownloadHandler({ meaning, all, tools, standard }: MeaningParts<Download>): GenericHandler {
  const resource = atItemPath(resourceNamed(all, meaning.resource) as ServiceResource)
  const find = createFinder({ resource, operation: meaning.operation, all, tools })
  return (context) => {
    const own = { ...context, path: toOwnPath(resource, context.path, meaning.parameters) }
    const record = find(own)
    if (record === undefined) throw notFoundIn(resource, own)
    const { mediaType: _, ...response } = standard(context)
    const file = record[FILE] as StoredFile | undefined
    if (file === undefined || response.status !== 200) return standard(context)
    const headers = {
      ...response.headers,
      'Content-Type': isHeaderValue(file.type) ? file.type : 'application/octet-stream',
    }
    return { ...response, headers, body: fromBase64(file.content) }
  }
}
