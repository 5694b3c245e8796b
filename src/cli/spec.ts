import { openapi } from '../petstore/served-documents.js'
import type { SpecSettings } from './flags.js'

/** Prints the service's document, and nothing else. */
export function spec({ format }: SpecSettings): void {
  process.stdout.write(format === 'yaml' ? openapi.yaml : `${JSON.stringify(openapi.document, null, 2)}\n`)
}
