import { readResources } from '../../document/resources/read-resources.js'
import type { MediaTypes } from '../../document/schema/media-type.js'
import { resolveDocument } from '../../document/schema/resolved-document.js'
import { operationIdOf } from '../../document/schema/route.js'
import type { Schema } from '../../document/schema/schema.js'
import { CompiledRouter } from '../../document/validate/openapi-backend.js'
import { version } from '../../generated/lib/version.js'
import { escapeInvisible } from '../../lib/text.js'
import { describeService } from '../resources/describe-service.js'
import type { ServiceDefinition } from '../service.js'
import type { AnyService } from './define-service.js'

/** Compiles the schemas of a document before they are used, for pages that forbid `eval`. */

/**
 * The code of `CompiledSchemas` for a document: every function that the mock of a service can need. `pointers` leads to the
 * schemas of its records.
 */
async function compileAhead(document: object, pointers: readonly string[]): Promise<string> {
  const [{ compileOnDemand }, { createRecorder }] = await Promise.all([
    import('./document-tools.js'),
    import('../../document/validate/ajv-recorder.js'),
  ])
  const resolved = resolveDocument(document)
  const router = new CompiledRouter(resolved.definition)
  const { createFunctions, codes } = createRecorder(JSON.stringify(document).includes('"unevaluated'))
  const validators = compileOnDemand(router, resolved, createFunctions)
  for (const operation of router.getOperations()) {
    // Getters that compile.
    const { request, responses } = validators.ofOperation(operationIdOf(operation))
    void [request, responses]
    for (const mediaType of mediaTypesOf(operation.requestBody)) validators.ofBody(operation, mediaType)
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

/**
 * A module with the document of a service, and the functions that check its schemas: a page that forbids `eval` can import it.
 * With types, if it is to be TypeScript.
 */
export async function compiledModule(
  service: ServiceDefinition<AnyService>,
  { hasTypes = false } = {},
): Promise<string> {
  const json = JSON.stringify(service.document)
  const document: object = JSON.parse(json)
  const described = [...service.resources, ...describeService(readResources(document))]
  const code = await compileAhead(document, [...new Set(described.map(({ record }) => record.pointer))])
  const [ofDocument, ofValidators] = hasTypes ? [': object', ': CompiledSchemas'] : ['', '']
  const lines = [
    `// Compiled by petstore-mock ${version}. Do not edit.`,
    ...(hasTypes ? ['// @ts-nocheck', "import type { CompiledSchemas } from 'petstore-mock'"] : []),
    `export const document${ofDocument} = JSON.parse(${quote(json)})`,
    `export const validators${ofValidators} = ${code}\n`,
  ]
  return escapeInvisible(lines.join('\n'))
}

/** In JSON, most other characters are quotes. */
const quote = (json: string) => `'${json.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
