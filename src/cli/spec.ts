import { createServedDocuments } from '../engine/admin/documents.js'
import { splitSettings } from './choose-service.js'
import type { SpecSettings } from './settings.js'

/** Returns the complete OpenAPI document of a service. */
export async function spec({ format, ...settings }: SpecSettings): Promise<string> {
  const { service } = await splitSettings(settings)
  const served = createServedDocuments(service)
  return format === 'yaml' ? served.serviceYaml() : `${JSON.stringify(await served.service(), null, 2)}\n`
}
