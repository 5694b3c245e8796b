import type { Resource } from '../../document/resources/resource.js'
import { describeUnknown, MockError } from '../../http/errors.js'
import { once } from '../../lib/functions.js'
import type { ResourceAdditions } from './additions.js'

/** What a service says about its resources, by name. `false` says that a path is no collection. */
export type Words = Readonly<Record<string, ResourceAdditions<never> | false>>

/** Throws INVALID_OPTION if a service names what there is not. */
export function requireKnown(kind: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return
  throw new MockError('INVALID_OPTION', `The service: ${describeUnknown(kind, given, known)}`)
}

/** Finds the resources that an entry of a service is about; first the one that stores the records. */
export function createFind(read: readonly Resource[]) {
  const index = (isByName: boolean) =>
    new Map(read.flatMap((each) => namesOf(each, isByName).map((name) => [name, each] as const)).reverse())
  const [byName, byPath] = [once(() => index(true)), once(() => index(false))]
  return (name: string, said: Words[string]): readonly [Resource, ...Resource[]] => {
    const paths = said === false ? undefined : (said.at ?? said.path)
    const known = paths === undefined ? byName() : byPath()
    const found = [paths ?? name].flat().map((wanted) => {
      const resource = known.get(wanted)
      if (resource === undefined) requireKnown('collection', wanted, [...known.keys()])
      return resource as Resource
    })
    const isStore = ({ itemPath, storedIn }: Resource) => itemPath !== undefined && storedIn === undefined
    const store = (found.find(isStore) ?? found[0]) as Resource
    return [store, ...new Set(found.filter((each) => each !== store))]
  }
}

/** What a service can call a resource: its name, or its paths. */
function namesOf({ name, path, itemPath }: Resource, isByName: boolean): string[] {
  if (isByName) return [name]
  return itemPath === undefined ? [path] : [...new Set([path, itemPath.replace(/\/[^/]*$/, ''), itemPath])]
}
