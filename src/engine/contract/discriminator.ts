import { unescapeToken } from '../../lib/json-pointer.js'
import { isPlainObject } from '../../lib/plain-object.js'

type Json = Readonly<Record<string, unknown>>

/** As `nameBranches` leaves it. */
export interface NamedBranches {
  readonly propertyName: string
  /** The values that name each branch of `oneOf`. */
  readonly names?: readonly (readonly string[])[]
}

/**
 * Adds to a discriminator the values that name each branch of its `oneOf`, which are known as long as these are references:
 * those of the mapping, and the name of the schema.
 */
export function nameBranches(node: Json): Json {
  const { discriminator, oneOf } = node
  if (!isPlainObject(discriminator) || typeof discriminator.propertyName !== 'string' || !Array.isArray(oneOf)) {
    return node
  }
  const mapping = isPlainObject(discriminator.mapping) ? Object.entries(discriminator.mapping) : []
  const names = oneOf.map((branch: unknown) => {
    const reference = isPlainObject(branch) ? branch.$ref : undefined
    if (typeof reference !== 'string') return []
    const name = unescapeToken(reference.split('/').at(-1) ?? '')
    const mapped = mapping.filter(([, target]) => target === reference || target === name).map(([value]) => value)
    const isOther = mapping.some(([value]) => value === name)
    return isOther ? mapped : [...mapped, name]
  })
  return { ...node, discriminator: { ...discriminator, names } }
}

/** The branch of `oneOf` that the discriminator of a value names, if it names one. */
export function namedBranch<S>(
  { oneOf, discriminator }: { readonly oneOf?: readonly S[]; readonly discriminator?: unknown },
  value: unknown,
): S | undefined {
  const { propertyName, names } = (discriminator ?? {}) as Partial<NamedBranches>
  if (names === undefined || propertyName === undefined || !isPlainObject(value)) return undefined
  const name = Object.hasOwn(value, propertyName) ? value[propertyName] : undefined
  return oneOf?.[names.findIndex((each) => each.includes(name as string))]
}
