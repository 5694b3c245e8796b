import type { MaybePromise } from '../../lib/functions.js'
import { shareBetweenBuilds } from '../../lib/share-between-builds.js'

/** What can be undone of the code that runs now. Both builds have mocks, which can be connected. */
const current = shareBetweenBuilds('changes', (): { changes: Changes | undefined } => ({ changes: undefined }))

/** What some code changes, in any number of stores, to be undone if it fails. */
export class Changes {
  #state: 'open' | 'kept' | 'undone' = 'open'
  readonly #isPart = current.changes !== undefined
  readonly #undo: (() => void)[] = []
  readonly #listeners = new Set<() => void>()

  constructor() {
    current.changes?.add(() => this.undo())
  }

  /** What the function changes until it returns belongs to these changes. */
  run<T>(act: () => T): T {
    const { changes } = current
    current.changes = this
    try {
      return act()
    } finally {
      current.changes = changes
      // It goes on although it has failed: one of several promises was rejected, for instance.
      if (this.#state === 'undone') this.undo()
    }
  }

  /** The same object, whose functions belong to these changes whenever they are called, as do those of its members. */
  bind<T extends object>(object: T): T {
    return new Proxy(object, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member === 'function') return (...args: unknown[]) => this.run(() => member.apply(target, args))
        return typeof member === 'object' && member !== null ? this.bind(member) : member
      },
    })
  }

  /** Says how the latest change is undone. */
  add(undo: () => void): void {
    if (this.#state !== 'kept') this.#undo.push(undo)
  }

  /** Calls the function, once, after everything is undone. */
  onUndone(listener: () => void): void {
    if (this.#state !== 'kept') this.#listeners.add(listener)
  }

  /** Nothing can undo them any more, unless they are a part of others. */
  keep(): void {
    if (this.#isPart || this.#state === 'undone') return
    this.#state = 'kept'
    this.#undo.length = 0
    this.#listeners.clear()
  }

  undo(): void {
    this.#state = 'undone'
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop()) undo()
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener()
  }
}

/** To be called by what changes data. Undefined if nothing will be undone. */
export const currentChanges = (): Changes | undefined => current.changes

/**
 * Undoes everything that a function has changed if it throws or rejects. After it has returned a promise, only what it does
 * with the objects that are bound to its changes belongs to it.
 */
export function atomically<T>(act: (changes: Changes) => T): T
export function atomically<T>(act: (changes: Changes) => MaybePromise<T>): MaybePromise<T> {
  const changes = new Changes()
  const fail = (error: unknown): never => {
    changes.undo()
    throw error
  }
  const finish = (result: T): T => {
    changes.keep()
    return result
  }
  try {
    const result = changes.run(() => act(changes))
    return result instanceof Promise ? result.then(finish, fail) : finish(result)
  } catch (error) {
    return fail(error)
  }
}
