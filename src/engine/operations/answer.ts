import type { Answer } from '../../document/operations/meaning.js'
import type { GenericHandler, MeaningParts } from '../crud/handler.js'
import { createPlaceFinder } from './place.js'
import { createRepeat, sentIn } from './repeat.js'

/** Repeats what was sent in a response of the document, if the record exists that the path starts with. */
export function createAnswerHandler(parts: MeaningParts<Answer>): GenericHandler {
  const { meaning, standard } = parts
  const find = meaning.below && createPlaceFinder(meaning.below, parts)
  const repeat = createRepeat(meaning.operation)
  return (context) => {
    find?.(context)
    return repeat(standard(context), sentIn(context))
  }
}
