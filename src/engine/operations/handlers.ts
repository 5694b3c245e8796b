import type { Meaning } from '../../document/operations/meaning.js'
import type { GenericHandler, MeaningParts } from '../crud/handler.js'
import { createActionHandler } from './action.js'
import { createDownloadHandler } from './files.js'
import { createLinkHandler } from './link.js'
import { createSignInHandler } from './sign-in.js'

/** By the kind of the meaning. */
const CREATE: {
  readonly [K in Meaning['kind']]: (parts: MeaningParts<Extract<Meaning, { kind: K }>>) => GenericHandler
} = {
  action: createActionHandler,
  attach: createLinkHandler,
  detach: createLinkHandler,
  signIn: createSignInHandler,
  download: createDownloadHandler,
}

export function createMeaningHandler(parts: MeaningParts): GenericHandler {
  return CREATE[parts.meaning.kind](parts as never)
}
