import type { Resource } from '../src/document/resources/resource.js'

/**
 * The resources of a document as a module. An object that stands in several places is written once, because the engine
 * compares schemas by identity.
 */
export function resourcesModule(resources: readonly Resource[], pathToType: string): string {
  const shared = findShared(resources)
  const names = new Map<object, string>()
  const lines: string[] = []

  function write(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const known = names.get(value)
    if (known !== undefined) return known
    const members = Array.isArray(value)
      ? `[${value.map(write).join(', ')}]`
      : `{ ${Object.entries(value)
          .map(([name, member]) => `${JSON.stringify(name)}: ${write(member)}`)
          .join(', ')} }`
    if (!shared.has(value)) return members
    const name = `shared${names.size + 1}`
    names.set(value, name)
    lines.push(`const ${name} = ${members}`)
    return name
  }

  const all = resources.map((resource) => `  ${write(resource)},\n`)
  return [
    `import type { Resource } from '${pathToType}'\n`,
    ...lines,
    `export const documentResources: readonly Resource[] = [\n${all.join('')}]\n`,
  ].join('\n')
}

/** The objects that stand in more than one place. Throws an error if one contains itself: a module cannot have it. */
function findShared(root: unknown): ReadonlySet<object> {
  const seen = new Set<object>()
  const shared = new Set<object>()
  const open = new Set<object>()
  function visit(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    if (open.has(value)) throw new Error('A schema of the document contains itself.')
    if (seen.has(value)) {
      shared.add(value)
      return
    }
    seen.add(value)
    open.add(value)
    Object.values(value).forEach(visit)
    open.delete(value)
  }
  visit(root)
  return shared
}
