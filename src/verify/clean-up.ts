import type { StoreOperationId } from '../engine/contract/types.js'
import type { Id } from '../lib/int64.js'
import type { Catalogue, Described } from './catalogue.js'
import { MAKERS, type Maker } from './made.js'
import { NoAnswer, type Send } from './sender.js'

/** Everything that was made, by what made it. */
export type Made = ReadonlyMap<Maker, ReadonlySet<Id>>

/** Orders hold on to pets, and pets to categories. */
const ORDER = ['createOrder', 'createPet', 'createCategory'] as const

/** After so many requests in a row that nobody answered, the rest would only take time. */
const MOST_UNANSWERED = 3

/** Removes what was made, as far as the service lets it, and returns what is still there and why. */
export async function cleanUp(made: Made, catalogue: Catalogue, send: Send): Promise<string[]> {
  const left: string[] = []
  let unanswered = 0

  /** The status of the answer, if there is one. */
  async function ask(operation: StoreOperationId, id: Id): Promise<number | undefined> {
    if (unanswered >= MOST_UNANSWERED) return undefined
    const { method, path } = catalogue.get(operation) as Described
    const target = path.replace(/\{.*\}/, id)
    unanswered += 1
    try {
      const { status } = await send({ method, target, headers: { Accept: 'application/json' } })
      unanswered = 0
      return status
    } catch (error) {
      if (error instanceof NoAnswer) return undefined
      throw error
    }
  }

  for (const maker of ORDER) {
    const { kind, reader, remover } = MAKERS[maker]
    for (const id of made.get(maker) ?? []) {
      const status = await ask(remover, id)
      // A service may remove it and say something else.
      const isGone = status === 204 || status === 404 || (await ask(reader, id)) === 404
      if (!isGone) left.push(`${kind} ${id} (DELETE: ${status ?? 'no answer'})`)
    }
  }
  return left
}
