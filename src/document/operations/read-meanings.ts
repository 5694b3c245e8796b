import { once } from '../../lib/functions.js'
import { readPath } from '../resources/envelopes.js'
import { findLinkOperations } from '../resources/links.js'
import { findUsers } from '../resources/people.js'
import { type Method, readPaths } from '../resources/read-operations.js'
import type { Resource } from '../resources/resource.js'
import { recogniseAction } from './action.js'
import { recogniseAnswer } from './answer.js'
import { recogniseBulk } from './bulk.js'
import { recogniseCreation } from './creation.js'
import { recogniseDownload } from './download.js'
import { recogniseLink } from './link.js'
import { recogniseMark } from './mark.js'
import type { Known, Meaning, Unclaimed } from './meaning.js'
import { recogniseSearch } from './search.js'
import { recogniseSignIn } from './sign-in.js'

/** The first that recognises an operation decides what it means. */
const RECOGNISE: readonly ((operation: Unclaimed, known: Known) => Meaning | undefined)[] = [
  recogniseSignIn,
  recogniseDownload,
  recogniseLink,
  recogniseSearch,
  recogniseBulk,
  recogniseCreation,
  recogniseMark,
  recogniseAction,
  recogniseAnswer,
]

/** What the operations mean that belong to none of these resources. */
export function readMeanings(document: object, resources: readonly Resource[]): readonly Meaning[] {
  const claimed = new Set(
    resources.flatMap(({ operations }) => Object.values(operations).map(({ operationId }) => operationId)),
  )
  const known: Known = {
    resources,
    byName: new Map(resources.map((each) => [each.name, each])),
    people: findUsers(resources),
    byItemPath: new Map(
      resources.flatMap((each) => (each.itemPath === undefined ? [] : [[readPath(each.itemPath).key, each] as const])),
    ),
    links: once(
      () => new Map(findLinkOperations(readPaths(document), resources).map((each) => [each.operationId, each])),
    ),
    byPath: new Map([...resources].reverse().map((each) => [readPath(each.path).key, each] as const)),
  }
  return readPaths(document).flatMap((path) =>
    Object.entries(path.operations).flatMap(([method, operation]) => {
      if (claimed.has(operation.name)) return []
      const unclaimed = { ...operation, method: method as Method, path }
      return RECOGNISE.map((recognise) => recognise(unclaimed, known)).find((meaning) => meaning) ?? []
    }),
  )
}
