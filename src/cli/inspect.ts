import { basename } from 'node:path'
import { type ServiceSummary, summarizeService } from '../engine/document/summary.js'
import { readService } from './choose-service.js'
import { printable } from './io.js'
import { serviceFile } from './service-file.js'
import type { InspectSettings } from './settings.js'
import { describeCounts } from './start-lines.js'

export { compile } from './compile.js'

/** Returns what the mock understands of an OpenAPI document, or of a service file. */
export async function inspect(file: string, { format }: InspectSettings): Promise<string> {
  const { service, isModule } = await readService(file)
  if (format === 'service') return serviceFile(service, `./${isModule ? 'openapi.yaml' : basename(file)}`)
  const summary = summarizeService(service)
  if (format === 'json') return `${JSON.stringify(summary, null, 2)}\n`
  return inspectionLines(summary)
    .map((line) => `${printable(line, MAX_LINE)}\n`)
    .join('')
}

/** Names of the document are unbounded. */
const MAX_LINE = 5000

function inspectionLines(summary: ServiceSummary): string[] {
  const { stateless, warnings, notUnderstood, resources, securitySchemes } = summary
  return [
    `${summary.title}: ${describeCounts(summary)}`,
    ...section('Resources', resources.flatMap(resourceLines)),
    ...section('Operations without state, answered from examples or the schema', stateless),
    ...section('Security schemes, ignored without --security require', securitySchemes),
    ...section('Rules of the service that the document has no place for', warnings),
    ...section('Not understood', notUnderstood),
  ]
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

type Summary = ServiceSummary['resources'][number]

function resourceLines({ name, id, references, furtherPaths, ...own }: Summary): string[] {
  const refers = Object.entries(references).map(([property, to]) => `${property} refers to ${to}`)
  return [
    `${name}: ${pathsOf(own)}${id === undefined ? '' : `, id in ${id}`}`,
    operationsLine(own),
    ...(refers.length > 0 ? [`  ${refers.join(', ')}`] : []),
    ...queryLines(own),
    ...furtherPaths.flatMap((further) => [
      `  also ${pathsOf(further)}`,
      ...[operationsLine(further), ...queryLines(further)].map((line) => `  ${line}`),
    ]),
  ]
}

function pathsOf({ path, itemPath }: Pick<Summary, 'path' | 'itemPath'>): string {
  const isBelow = itemPath === undefined || itemPath.startsWith(path.replace(/(\/|\.json)$/, ''))
  return `${isBelow ? '' : `${path} and `}${itemPath ?? path}`
}

const operationsLine = ({ operations }: Pick<Summary, 'operations'>) =>
  `  ${Object.entries(operations)
    .map(([role, operation]) => `${role} ${operation}`)
    .join(', ')}`

function queryLines({ query }: Pick<Summary, 'query'>): string[] {
  const uses = [toUse('filters', query.filters), toUse('sorts', query.sorting), toUse('pages', query.paging)].flat()
  return uses.length > 0 ? [`  ${uses.join('; ')}`] : []
}

const toUse = (verb: string, parameters: readonly string[]) =>
  parameters.length > 0 ? [`${verb} by ${parameters.join(', ')}`] : []
