import { isPlainObject } from '../../lib/plain-object.js'
import { setMember } from '../../lib/set-member.js'
import type { TextTree } from './text-values.js'

type Branch = Record<string, unknown>

/**
 * Makes objects and lists of names with brackets: `a[b][c]=1` is `{ a: { b: { c: '1' } } }`, and `a[]=1&a[]=2` or `a=1&a=2`
 * a list.
 */
export function nestByBrackets(entries: Iterable<readonly [string, readonly unknown[]]>): Record<string, TextTree> {
  const root: Branch = {}
  for (const [name, values] of entries) add(root, pathOf(name), values)
  return root as Record<string, TextTree>
}

/** `a[b][]` is `['a', 'b', '']`. A name with brackets that do not match is one part. */
function pathOf(name: string): string[] {
  const [, start, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  if (start === undefined) return [name]
  return [start, ...rest.slice(1, -1).split('][')].slice(0, MAX_PARTS)
}

/** Deeper names would make deeper objects than anything can use. */
const MAX_PARTS = 20

function add(root: Branch, path: readonly string[], values: readonly unknown[]): void {
  const isList = path.at(-1) === ''
  const names = isList ? path.slice(0, -1) : path
  let node = root
  for (const name of names.slice(0, -1)) {
    const next = own(node, name)
    if (!isPlainObject(next)) setMember<unknown>(node, name, {})
    node = own(node, name) as Branch
  }
  const last = names.at(-1) as string
  const known = own(node, last)
  const all = known === undefined ? values : [known, ...values].flat()
  setMember<unknown>(node, last, isList || all.length > 1 ? all : all[0])
}

const own = (node: Branch, name: string) => (Object.hasOwn(node, name) ? node[name] : undefined)
