import { copyData } from '../../lib/copy-data.js'
import { isEqualJson } from '../../lib/equal-json.js'
import { stringifyJson } from '../../lib/json.js'
import { unescapeToken } from '../../lib/json-pointer.js'
import { setMember } from '../../lib/set-member.js'
import type { PatchResult } from '../resources/value-maker.js'

type PatchProblem = NonNullable<PatchResult['problem']>

interface Operation {
  readonly op?: unknown
  readonly path?: unknown
  readonly from?: unknown
  readonly value?: unknown
}

/** A value after the operations of a JSON Patch (RFC 6902). The value itself stays as it is. */
export function applyJsonPatch(value: unknown, operations: readonly unknown[]): PatchResult {
  try {
    return { value: apply(value, operations) }
  } catch (problem) {
    if (problem instanceof Error) throw problem
    return { problem: problem as PatchProblem }
  }
}

function apply(value: unknown, operations: readonly unknown[]): unknown {
  const holder = { root: copyData(value) }
  const budget = { left: MAX_COPIED }
  for (const [index, operation] of operations.entries()) perform(holder, Object(operation) as Operation, index, budget)
  return holder.root
}

/** How many characters a patch may copy: each copy can contain those before it. */
const MAX_COPIED = 1_000_000

interface Budget {
  left: number
}

function copyOf(value: unknown, index: number, budget: Budget): unknown {
  budget.left -= stringifyJson(value)?.length ?? 0
  if (budget.left < 0) throw impossible(`/${index} copies more than a patch may copy.`)
  return copyData(value)
}

function perform(holder: object, { op, path, from, value }: Operation, index: number, budget: Budget): void {
  const at = (pointer: unknown) => readPointer(pointer, index)
  switch (op) {
    case 'add':
      add(holder, at(path), copyData(value))
      break
    case 'remove':
      remove(holder, at(path))
      break
    case 'replace':
      get(holder, at(path))
      set(holder, at(path), copyData(value))
      break
    case 'move':
      if (`${path}`.startsWith(`${from}/`)) throw impossible(`/${index} moves a value into itself.`)
      add(holder, at(path), remove(holder, at(from)))
      break
    case 'copy':
      add(holder, at(path), copyOf(get(holder, at(from)), index, budget))
      break
    case 'test':
      if (isEqualJson(get(holder, at(path)), value)) break
      throw { kind: 'test', message: `/${index}: the value at "${path}" is another one.` } satisfies PatchProblem
    default:
      throw impossible(`/${index}/op must be add, remove, replace, move, copy or test.`)
  }
}

type Path = readonly string[]
type Container = Record<string, unknown> | unknown[]

function impossible(message: string): PatchProblem {
  return { kind: 'impossible', message }
}

/** The keys that lead to a value, from the object that holds the root. */
function readPointer(pointer: unknown, index: number): Path {
  if (typeof pointer !== 'string' || !/^(\/|$)/.test(pointer)) {
    throw impossible(`/${index} must have a path that is empty or starts with a slash.`)
  }
  return ['root', ...pointer.split('/').slice(1)].map(unescapeToken)
}

function get(holder: object, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    const found = isContainer(value) && Object.hasOwn(value, key) && !isLength(value, key)
    if (!found) throw impossible(`Nothing is at "/${path.slice(1).join('/')}".`)
    return (value as Record<string, unknown>)[key]
  }, holder)
}

function containerAt(holder: object, path: Path): [container: Container, key: string] {
  const container = get(holder, path.slice(0, -1))
  if (!isContainer(container)) throw impossible(`"/${path.slice(1).join('/')}" is in no object or list.`)
  return [container, path.at(-1) ?? '']
}

function set(holder: object, path: Path, value: unknown): void {
  const [container, key] = containerAt(holder, path)
  setMember(container as Record<string, unknown>, key, value)
}

function add(holder: object, path: Path, value: unknown): void {
  const [container, key] = containerAt(holder, path)
  if (!Array.isArray(container)) {
    setMember(container, key, value)
    return
  }
  const position = key === '-' ? container.length : /^(0|[1-9]\d*)$/.test(key) ? Number(key) : -1
  if (position < 0 || position > container.length) throw impossible(`The list has no place "${key}".`)
  container.splice(position, 0, value)
}

function remove(holder: object, path: Path): unknown {
  const value = get(holder, path)
  const [container, key] = containerAt(holder, path)
  if (Array.isArray(container)) container.splice(Number(key), 1)
  else delete container[key]
  return value
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

const isLength = (value: Container, key: string) => Array.isArray(value) && key === 'length'
