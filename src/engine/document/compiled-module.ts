import { version } from '../../lib/generated/version.js'
import { compileAhead } from '../contract/compile-ahead.js'
import type { AnyService } from '../define-service.js'
import { describeService } from '../resources/describe-service.js'
import { readResources } from '../resources/read-resources.js'
import type { ServiceDefinition } from '../service.js'

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
  return [
    `// Compiled by petstore-mock ${version}. Do not edit.`,
    ...(hasTypes ? ['// @ts-nocheck', "import type { CompiledSchemas } from 'petstore-mock'"] : []),
    `export const document${ofDocument} = JSON.parse(${quote(json)})`,
    `export const validators${ofValidators} = ${code}\n`,
  ].join('\n')
}

/** In JSON, most other characters are quotes. */
const quote = (json: string) =>
  `'${json
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(/[\u2028\u2029]/g, (character) => (character === '\u2028' ? '\\u2028' : '\\u2029'))}'`
