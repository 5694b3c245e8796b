import type { Mark } from '../../document/operations/meaning.js'
import { ApiError } from '../../http/errors.js'
import type { GenericHandler, MeaningParts } from '../crud/handler.js'
import { memoryOf } from './memory.js'
import { createPlaceFinder } from './place.js'
import { createRepeat, sentIn } from './repeat.js'

/** Remembers what was set, by the values of the path. */
export function createMarkHandler(parts: MeaningParts<Mark>): GenericHandler {
  const { meaning, standard } = parts
  const { does, name, parameters, operation } = meaning
  const find = meaning.below && createPlaceFinder(meaning.below, parts)
  const repeat = createRepeat(operation)
  return (context) => {
    find?.(context)
    const memory = memoryOf(context.store)
    const key = `mark ${name} ${JSON.stringify(parameters.map((parameter) => String(context.path[parameter])))}`
    const isSet = memory.recall(key) !== undefined
    if (does === 'read' && !isSet) throw new ApiError(404, 'NOT_SET', 'It is not set.')
    if (does === 'set') memory.remember(key, true, context.at)
    if (does === 'clear') memory.forget(key)
    return repeat(standard(context), sentIn(context))
  }
}
