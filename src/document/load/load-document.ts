/**
 * Reads an OpenAPI document from a file, YAML or JSON, and the files beside it and in its folders that it refers to. Never
 * reads files elsewhere, or the network. Rejects with INVALID_DOCUMENT, whose `problems` are all that it cannot use.
 */
export async function loadDocument(file: string | URL): Promise<object> {
  const { readDocument } = await import('./read-document.js')
  return readDocument(file)
}
