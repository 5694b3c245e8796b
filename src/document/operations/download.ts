import { keyOf, parameterOf } from '../resources/envelopes.js'
import { normalize } from '../resources/names.js'
import { toResourceOperation } from '../resources/roles.js'
import { DOWNLOAD } from '../words/files.js'
import type { Download, Known, Unclaimed } from './meaning.js'

/** `GET` on the path of a record, or below it, that returns a file: `/files/{id}/content`. */
export function recogniseDownload(operation: Unclaimed, { byItemPath }: Known): Download | undefined {
  const { method, path, returnsFile, name } = operation
  if (method !== 'get' || !returnsFile) return undefined
  const last = path.segments.at(-1) ?? ''
  const item = parameterOf(last) === undefined ? path.segments.slice(0, -1) : path.segments
  const resource = byItemPath.get(keyOf(item))
  if (!resource?.holdsFiles || (item !== path.segments && !DOWNLOAD.test(normalize(last)))) return undefined
  return {
    kind: 'download',
    resource: resource.name,
    parameters: item.flatMap((segment) => parameterOf(segment) ?? []),
    operationId: name,
    operation: toResourceOperation(operation, 'read', { collection: '', noun: resource.noun }, resource.record.schema),
  }
}
