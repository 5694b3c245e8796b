import type { PlainResponse } from '../../engine/contract/messages.js'
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf } from '../../engine/contract/types.js'
import type { TimeSource } from '../../lib/clock.js'
import type { World } from '../world.js'
import type { StoreRules } from './rules.js'

/** What an operation may use of the store it runs in. */
export interface Store {
  readonly world: World
  readonly rules: StoreRules
  readonly clock: TimeSource
}

/** A request that keeps to the document, and the store it is about. */
export interface Call<O extends OperationId> extends Store {
  readonly path: PathOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  /** The path of the base address, for references in the answer. */
  readonly base: string
}

export interface Answer<O extends OperationId> {
  readonly status: 200 | 201 | 204
  readonly body?: AnswerOf<O>
  /** In place of the body, where it goes on. */
  readonly stream?: PlainResponse['stream']
  readonly headers?: Readonly<Record<string, string>>
}

/** Does what one operation does, or throws the ApiError that says why not; then nothing was changed. */
export type Handler<O extends OperationId> = (call: Call<O>) => Answer<O>
