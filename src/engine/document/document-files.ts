import { shareBetweenBuilds } from '../../lib/share-between-builds.js'

/**
 * The paths of the files that `loadDocument` has read each document from. For a document that it could not load, the key is the
 * error, and those that are missing are included.
 */
export const filesByDocument = shareBetweenBuilds('files of documents', () => new WeakMap<object, readonly string[]>())

/** The files of a document that could not be loaded, by the error or the one that has caused it. */
export function filesOfError(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return []
  return filesByDocument.get(error) ?? filesOfError(error.cause)
}
