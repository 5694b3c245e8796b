/** Compiles the schemas of a document before they are used, for pages that forbid `eval`. */
import { resolveDocument } from './document.js'
import type { MediaTypes } from './media-type.js'
import { CompiledRouter } from './openapi-backend.js'
import { operationIdOf } from './route.js'
import type { Schema } from './schema.js'

/**
 * The code of `CompiledSchemas` for a document: every function that the mock of a service can need. `pointers` leads to the
 * schemas of its records.
 */
export async function compileAhead(document: object, pointers: readonly string[]): Promise<string> {
  const [{ compileOnDemand }, { createRecorder }] = await Promise.all([
    import('../document-tools.js'),
    import('./ajv-recorder.js'),
  ])
  const resolved = resolveDocument(document)
  const router = new CompiledRouter(resolved.definition)
  const { createFunctions, codes } = createRecorder(JSON.stringify(document).includes('"unevaluated'))
  const validators = compileOnDemand(router, resolved, createFunctions)
  for (const operation of router.getOperations()) {
    // Getters that compile.
    const { request, responses } = validators.ofOperation(operationIdOf(operation))
    void [request, responses]
    for (const mediaType of mediaTypesOf(operation.requestBody)) validators.ofBody(operation as never, mediaType)
    for (const schema of schemasOfResponses(operation.responses)) validators.ofResponse(schema)
  }
  for (const pointer of pointers) validators.ofSchema(pointer)
  // Compiling one finds those that it refers to.
  for (const unit of validators.compiler.units()) void unit.validate
  return `{ functions: {\n${[...codes].map(([key, code]) => `  ${JSON.stringify(key)}: ${code}`).join(',\n')}\n} }`
}

const mediaTypesOf = (body: unknown) => Object.keys((body as MediaTypes | undefined)?.content ?? {})

interface Responses {
  readonly [status: string]: (MediaTypes & { readonly headers?: Readonly<Record<string, Header>> }) | undefined
}

type Header = MediaTypes & { readonly schema?: Schema }

/** Those that examples and made values are checked with. */
function schemasOfResponses(responses: unknown = {}): Schema[] {
  return Object.values(responses as Responses).flatMap((response) => {
    const headers = Object.values(response?.headers ?? {})
    const contents = [response, ...headers].flatMap((each) => Object.values(each?.content ?? {}))
    const schemas = [...contents, ...headers].flatMap(({ schema }) => schema ?? [])
    // Those of a body and a header without one.
    return [...schemas, {}, { type: 'string' }]
  })
}
