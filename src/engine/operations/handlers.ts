import type { Meaning } from '../../document/operations/meaning.js'
import type { GenericHandler, MeaningParts } from '../crud/handler.js'
import { createActionHandler } from './action.js'
import { createAnswerHandler } from './answer.js'
import { createBulkHandler } from './bulk.js'
import { createCreationHandler } from './creation.js'
import { createDownloadHandler } from './files.js'
import { createLinkHandler } from './link.js'
import { createMarkHandler } from './mark.js'
import { createSearchHandler } from './search.js'
import { createSignInHandler } from './sign-in.js'

/** By the kind of the meaning. */
const CREATE: {
  readonly [K in Meaning['kind']]: (parts: MeaningParts<Extract<Meaning, { kind: K }>>) => GenericHandler
} = {
  search: createSearchHandler,
  bulk: createBulkHandler,
  creation: createCreationHandler,
  action: createActionHandler,
  attach: createLinkHandler,
  detach: createLinkHandler,
  signIn: createSignInHandler,
  download: createDownloadHandler,
  mark: createMarkHandler,
  answer: createAnswerHandler,
}

export function createMeaningHandler(parts: MeaningParts): GenericHandler {
  return CREATE[parts.meaning.kind](parts as never)
}
