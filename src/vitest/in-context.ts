import type { NodePetstore } from '../adapters/node/index.js'
import { isPlainObject } from '../lib/plain-object.js'
import { type Callable, eachInContext } from './each.js'

/**
 * Runs what a test is made of inside its own pet store, so that concurrent tests at one address are kept apart. A fixture
 * cannot do that: what it sets up ends where it hands over. So every function that is given to `test`, or to something
 * reached through it, is wrapped.
 */
export function inContext<Api extends Callable>(api: Api): Api {
  return new Proxy(api, {
    apply: (target, self, args) => reached(Reflect.apply(target, self, args.map(wrap))),
    get(target, name) {
      const value = Reflect.get(target, name)
      if (SUITES.includes(name)) return value
      return name === 'each' && 'for' in target ? eachInContext(target as never) : reached(value)
    },
  })
}

/** What is given to them only declares tests, and runs before there is a pet store. */
const SUITES: readonly unknown[] = ['describe', 'suite']

/** A test, a hook or a fixture; fixtures also come as members of an object, alone or in front of their options. */
function wrap(value: unknown): unknown {
  if (typeof value === 'function') return runInside(value as Callable)
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'function' ? wrap(item) : item))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, wrapFixture(member)]))
}

function wrapFixture(member: unknown): unknown {
  return typeof member === 'function' || Array.isArray(member) ? wrap(member) : member
}

function reached(value: unknown): unknown {
  return typeof value === 'function' ? inContext(value as Callable) : value
}

function runInside(callback: Callable): Callable {
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    const call = () => Reflect.apply(callback, this, args)
    const petstore = args.map(petstoreOf).find((found) => found !== undefined)
    return petstore === undefined ? call() : petstore.run(call)
  }
  // Vitest reads in a function's text which fixtures it asks for.
  wrapped.toString = () => callback.toString()
  return wrapped
}

/** The pet store of a test's context, which is the first argument or, under `test.for`, the second. */
function petstoreOf(arg: unknown): NodePetstore | undefined {
  // Vitest's context is a function, so that taking it for the `done` of other runners fails with a message.
  if ((typeof arg !== 'object' && typeof arg !== 'function') || arg === null || !('petstore' in arg)) return undefined
  const { petstore } = arg as { petstore?: Partial<NodePetstore> }
  return typeof petstore?.run === 'function' ? (petstore as NodePetstore) : undefined
}
