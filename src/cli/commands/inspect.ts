import { basename, extname } from 'node:path'
import { filesByDocument } from '../../document/load/read-document.js'
import { compiledModule } from '../../engine/mock/compiled-module.js'
import { describeInWords, type Explanation, explainOperation, type ServiceWords } from '../../engine/mock/explain.js'
import { type ServiceSummary, summarizeService } from '../../engine/mock/summary.js'
import { toLiteral } from '../../tools/snippets/literal.js'
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
export async function inspect(file: string, { format, explain }: InspectSettings): Promise<string> {
  const { service, isModule } = await readService(file)
  if (explain !== undefined) return explainText(explainOperation(service, explain), format)
  if (format === 'service') {
    const [document = isModule ? 'openapi.yaml' : file] = filesByDocument.get(service.document) ?? []
    return escapeInvisible(serviceFile(service, `./${basename(document)}`))
  }
  const summary = summarizeService(service)
  const words = describeInWords(service)
  if (format === 'json') return `${toPrintableJson({ ...summary, words }, 2)}\n`
  return toText(inspectionLines(summary, words))
}

const toText = (lines: readonly string[]) => lines.map((line) => `${printable(line, MAX_LINE)}\n`).join('')

function explainText(explanation: Explanation, format: InspectSettings['format']): string {
  if (format === 'json') return `${toPrintableJson(explanation, 2)}\n`
  const { operation, method, path, rules, corrections, isOwn } = explanation
  const code = `operations: { ${toKey(operation)}: (request, standard) => standard() }`
  return toText([
    `${operation}: ${method} ${path}`,
    ...rules.map((rule) => `  ${rule}`),
    ...(isOwn ? ['  The service has a function for it, which decides.'] : []),
    '',
    'To say otherwise, in a service file:',
    ...corrections.map(({ words, effect }) => `  ${toCode(words).slice(2, -2)}  // ${effect}`),
    ...(isOwn ? [] : [`  ${code}  // a function of your own`]),
  ])
}

/** On one line. */
const toCode = (words: object) =>
  toLiteral(words)
    .replaceAll(/,\n\s*(?=[}\]])/g, ' ')
    .replaceAll(/\n\s*/g, ' ')

/** Names of the document are unbounded. */
const MAX_LINE = 5000

function inspectionLines(summary: ServiceSummary, words: ServiceWords): string[] {
  const { stateless, notUnderstood, resources, securitySchemes } = summary
  return [
    `${summary.title}: ${describeCounts(summary)}`,
    ...section(
      'resources',
      resources.flatMap((each) => resourceLines(each, words.resources[each.name])),
    ),
    ...section('actions', wordLines(words.actions)),
    ...section('Other operations with state', wordLines(words.meanings)),
    ...section('Operations without state, answered from examples or the schema', stateless),
    ...section('Security schemes, ignored without --security require', securitySchemes),
    ...section('Not understood', notUnderstood),
  ]
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

type Summary = ServiceSummary['resources'][number]

const wordLines = (words: Readonly<Record<string, object>>) =>
  Object.entries(words).map(([name, each]) => toCode({ [name]: each }).slice(2, -2))

function resourceLines({ name, furtherPaths, ...own }: Summary, words: object = {}): string[] {
  return [
    ...wordLines({ [name]: words }),
    operationsLine(own),
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
