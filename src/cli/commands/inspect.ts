import { basename, extname } from 'node:path'
import { filesByDocument } from '../../document/load/read-document.js'
import { compiledModule } from '../../engine/mock/compiled-module.js'
import { type ServiceSummary, summarizeService } from '../../engine/mock/summary.js'
import type { Service } from '../choose-service.js'
import { readService } from '../choose-service.js'
import { checkOutputFile, writeOutputFile } from '../files.js'
import { UsageError } from '../flag-values.js'
import { escapeInvisible, type Io, printable, toPrintableJson, write } from '../io.js'
import type { CompileSettings, InspectSettings } from '../settings.js'
import { describeCounts } from '../start-lines.js'

/**
 * A service file for a document that does what the document alone does, with places for what it cannot say. Without their
 * slashes, the lines with code do the same.
 */
export function serviceFile(service: Service, document: string): string {
  const url = document.replaceAll(/[%?#\\]/g, encodeURIComponent)
  const resources = service.resources.map(({ name, path }) => `    ${toKey(name)}: { path: ${quote(path)} },\n`)
  const stateless = [...service.stateless].map(
    (operation) => `    // ${toKey(operation)}: ({ path, query, body, store }, standard) => standard(),\n`,
  )
  return `import { defineService, loadDocument } from 'petstore-mock'

export default defineService({
  document: await loadDocument(new URL(${quote(url)}, import.meta.url)),
  // What the document does not say about them: references that must exist, defaults, filters.
  resources: {
${resources.join('')}  },
  // Operations with rules. The others do what the document says; these keep no state until you give them a function:
  operations: {
${stateless.join('')}  },
})
`
}

/** A plain `__proto__` would be no property. */
function toKey(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[a-z_$][\w$]*$/i.test(name) ? name : quote(name)
}

/** A name may have line breaks, which would end a comment. */
const quote = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const TYPESCRIPT = ['.ts', '.mts']
const EXTENSIONS = ['.js', '.mjs', ...TYPESCRIPT]

/** Writes what a page needs of a document, or of the document of a service file, so that it can forbid `eval`. */
export async function compile(file: string, { output, force = false }: CompileSettings, io: Io): Promise<void> {
  const extension = output === undefined ? '.js' : extname(output)
  if (!EXTENSIONS.includes(extension)) {
    throw new UsageError(`--output must be a file name that ends in ${EXTENSIONS.join(', ')}.`)
  }
  if (output !== undefined) checkOutputFile(output, force)
  const { service } = await readService(file)
  const text = await compiledModule(service, { hasTypes: TYPESCRIPT.includes(extension) })
  if (output === undefined) await write(io.stdout, text)
  else writeOutputFile(output, text, force)
}

/** Returns what the mock understands of an OpenAPI document, or of a service file. */
export async function inspect(file: string, { format }: InspectSettings): Promise<string> {
  const { service, isModule } = await readService(file)
  if (format === 'service') {
    const [document = isModule ? 'openapi.yaml' : file] = filesByDocument.get(service.document) ?? []
    return escapeInvisible(serviceFile(service, `./${basename(document)}`))
  }
  const summary = summarizeService(service)
  if (format === 'json') return `${toPrintableJson(summary, 2)}\n`
  return inspectionLines(summary)
    .map((line) => `${printable(line, MAX_LINE)}\n`)
    .join('')
}

/** Names of the document are unbounded. */
const MAX_LINE = 5000

function inspectionLines(summary: ServiceSummary): string[] {
  const { stateless, notUnderstood, resources, securitySchemes } = summary
  return [
    `${summary.title}: ${describeCounts(summary)}`,
    ...section('Resources', resources.flatMap(resourceLines)),
    ...section('Operations without state, answered from examples or the schema', stateless),
    ...section('Security schemes, ignored without --security require', securitySchemes),
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
