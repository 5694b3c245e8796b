import { createServedDocuments } from '../../engine/admin/documents.js'
import { splitSettings } from '../choose-service.js'
import { toPrintableJson } from '../io.js'
import type { SpecSettings } from '../settings.js'

/** Returns the complete OpenAPI document of a service. */
export async function spec({ format, ...settings }: SpecSettings): Promise<string> {
  const { service } = await splitSettings(settings)
  const served = createServedDocuments(service)
  return format === 'yaml' ? served.serviceYaml() : `${toPrintableJson(await served.service(), 2)}\n`
}
