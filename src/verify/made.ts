import type { StoreOperationId } from '../engine/contract/types.js'
import { type Id, parseAnyId, parseId } from '../lib/int64.js'
import { type Differ, showHeader } from './differ.js'
import type { Judged } from './judge.js'

/** The operations that make something, and what reads and removes it. */
export const MAKERS = {
  createOrder: { kind: 'order', reader: 'getOrder', remover: 'deleteOrder' },
  createPet: { kind: 'pet', reader: 'getPet', remover: 'deletePet' },
  createCategory: { kind: 'category', reader: 'getCategory', remover: 'deleteCategory' },
} as const satisfies Partial<Record<StoreOperationId, object>>

export type Maker = keyof typeof MAKERS

export function isMaker(operation: StoreOperationId): operation is Maker {
  return Object.hasOwn(MAKERS, operation)
}

export interface Birth {
  readonly answer: Judged
  /** The path of the objects of its kind, with the base address's path in front. */
  readonly path: string
  /** Whether an id leads to what was made. */
  readonly leadsThere: (id: Id) => Promise<boolean>
  readonly differ: Differ | undefined
}

/**
 * The id of what was made. The body and `Location` both say it; where they do not agree, they are followed to tell
 * which of them is wrong, and the other is gone on with.
 */
export async function findId({ answer, path, leadsThere, differ }: Birth): Promise<Id | undefined> {
  const isSuccess = answer.status >= 200 && answer.status < 300
  const told = parseAnyId((answer.value as { id?: unknown } | undefined | null)?.id)
  if (!isSuccess) return told
  const location = answer.headers.get('Location')
  const located = location?.startsWith(`${path}/`) ? parseId(location.slice(path.length + 1)) : undefined
  if (located !== undefined && (told === located || told === undefined)) {
    if (told === undefined && answer.asExpected && answer.value !== undefined) differ?.('body /id', located, 'nothing')
    return located
  }
  if (told !== undefined && located !== undefined && !(await leadsThere(told)) && (await leadsThere(located))) {
    differ?.('body /id', located, told)
    return located
  }
  differ?.('header Location', `${path}/${told ?? '{id}'}`, showHeader(location))
  return told
}
