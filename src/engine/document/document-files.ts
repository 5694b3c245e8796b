import { shareBetweenBuilds } from '../../lib/share-between-builds.js'

/** The paths of the files that `loadDocument` has read each document from. */
export const filesByDocument = shareBetweenBuilds('files of documents', () => new WeakMap<object, readonly string[]>())
