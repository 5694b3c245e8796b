import { unescapeToken } from '../../lib/json-pointer.js'
import { isPlainObject } from '../../lib/values.js'

/** A discriminator of `oneOf`, and what the document refers to in each branch. */
export interface Discriminator {
  readonly propertyName: string
  readonly mapping?: Readonly<Record<string, string>>
  readonly references?: readonly unknown[]
}

const known = new WeakMap<object, readonly (readonly string[])[]>()

/** The values that name each branch: those of the mapping, and the name of the schema. */
export function branchNames(discriminator: Discriminator): readonly (readonly string[])[] {
  const names = known.get(discriminator) ?? readNames(discriminator)
  known.set(discriminator, names)
  return names
}

function readNames({ mapping, references = [] }: Discriminator): readonly (readonly string[])[] {
  const entries = isPlainObject(mapping) ? Object.entries(mapping) : []
  return references.map((reference) => {
    if (typeof reference !== 'string') return []
    const name = unescapeToken(reference.split('/').at(-1) ?? '')
    const mapped = entries.filter(([, target]) => target === reference || target === name).map(([value]) => value)
    return entries.some(([value]) => value === name) ? mapped : [...mapped, name]
  })
}

/** The branch of `oneOf` that the discriminator of a value names, if it names one. */
export function namedBranch<S>(
  { oneOf, discriminator }: { readonly oneOf?: readonly S[]; readonly discriminator?: unknown },
  value: unknown,
): S | undefined {
  if (!isPlainObject(discriminator) || !isPlainObject(value)) return undefined
  const { propertyName } = discriminator as unknown as Discriminator
  const name = Object.hasOwn(value, propertyName) ? value[propertyName] : undefined
  const names = branchNames(discriminator as unknown as Discriminator)
  return oneOf?.[names.findIndex((each) => each.includes(name as string))]
}
