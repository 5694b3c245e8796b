import { deriveAdminDocument } from '../src/engine/admin/derive-document.js'
import { openapi } from '../src/petstore/documents.js'
import { petstoreService } from '../src/petstore/service.js'
import {
  type Document,
  type DocumentedOperation,
  follow,
  type Reference,
  type Route,
  readDocument,
  routesOf,
  type Schema,
} from './docs-document.js'
import { code, codes, generatedPage, oneLine, table } from './docs-markdown.js'

/** The server's default address, for the examples. */
const ADDRESS = 'http://127.0.0.1:4010'

/** The page of the admin API, generated from its OpenAPI document. */
export async function adminPage(): Promise<string> {
  const service = { ...petstoreService, document: openapi.document }
  const document = deriveAdminDocument(await readDocument('admin'), service) as Document
  const routes = routesOf(document)
  const shared = findShared(routes)
  return generatedPage(
    'Admin API',
    'spec/admin.yaml',
    `Controls state, faults, clock and journal over HTTP, however the mock runs. The [cheat sheet](cheat-sheet.md) shows the same
calls in code. This page is generated from [\`spec/admin.yaml\`](../spec/admin.yaml) and what the Pet Store's resources
add to it, which a running mock serves at \`/__admin/openapi.yaml\`.`,
    `Prefix a path with \`/sandbox/<name>\`, or send the header \`X-Petstore-Sandbox: <name>\`, to address that sandbox only. If
the mock requires a token, send \`Authorization: Bearer <token>\`. A body field that is not listed is 400. A request that
fails changes nothing, and its response is \`{ code, message, status }\`.`,
    overview(document, routes),
    ...document.tags.flatMap(({ name, description }) => [
      `## ${name}`,
      description,
      ...inReadingOrder(routes.filter(({ tags }) => tags.includes(name))).flatMap((route) =>
        describe(document, route, shared),
      ),
    ]),
    '## Responses of any path',
    table(
      ['Status', 'When'],
      [...shared].map(([ref, status]) => [
        status,
        follow<{ description: string }>(document, { $ref: ref }).description,
      ]),
    ),
  )
}

function overview(document: Document, routes: readonly Route[]): string {
  const rows = document.tags.flatMap(({ name }) =>
    inReadingOrder(routes.filter(({ tags }) => tags.includes(name))).map((route) => [
      `[${code(`${route.method} ${route.path}`)}](#${anchorOf(route)})`,
      route.summary,
    ]),
  )
  return table(['Method and path', 'What it does'], rows)
}

/** The anchor that GitHub generates for the heading. */
function anchorOf({ method, path }: Route): string {
  return `${method} ${path}`
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

/** Deletions last. */
function inReadingOrder(routes: readonly Route[]): Route[] {
  const isRemoval = ({ method }: Route) => method === 'DELETE'
  return [...routes.filter((route) => !isRemoval(route)), ...routes.filter(isRemoval)]
}

/** The responses that most operations share, with their statuses. They are listed once, not for each operation. */
function findShared(routes: readonly Route[]): Map<string, string> {
  const all = routes.flatMap(({ responses }) => referredTo(responses))
  const count = (ref: string) => all.filter(([, other]) => other === ref).length
  return new Map(all.filter(([, ref]) => count(ref) > routes.length / 2).map(([status, ref]) => [ref, status]))
}

function referredTo(responses: DocumentedOperation['responses']): [status: string, ref: string][] {
  return Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response ? [[status, response.$ref] satisfies [string, string]] : [],
  )
}

function describe(document: Document, route: Route, shared: ReadonlyMap<string, string>): string[] {
  return [
    `### ${code(`${route.method} ${route.path}`)}`,
    oneLine(route.description),
    describeParameters(document, route),
    ...describeBody(document, route),
    describeResponses(document, route, shared),
  ]
}

function describeParameters(document: Document, { parameters = [] }: Route): string {
  if (parameters.length === 0) return ''
  const rows = parameters
    .map((parameter) => follow(document, parameter))
    .map(({ name, in: place, schema, description }) => [code(name), place, kindOf(document, schema), description])
  return table(['Parameter', 'In', 'Kind', 'Meaning'], rows)
}

function describeBody(document: Document, route: Route): string[] {
  const [media] = Object.values(route.requestBody?.content ?? {})
  if (route.requestBody === undefined || media === undefined) return []
  const { properties = {}, required = [] } = follow(document, media.schema)
  const rows = Object.entries(properties).map(([name, property]) => [
    code(name) + (required.includes(name) ? ', required' : ''),
    kindOf(document, property),
    follow(document, property).description ?? '',
  ])
  const need = route.requestBody.required ? '' : ' Optional.'
  return [
    `Body: ${oneLine(route.requestBody.description)}${need}`,
    rows.length === 0 ? '' : table(['Field', 'Kind', 'Meaning'], rows),
    exampleOf(document, route, Object.values(media.examples)[0]),
  ]
}

function exampleOf(
  document: Document,
  { method, path: template, parameters = [] }: Route,
  example: { summary: string; value: unknown } | undefined,
): string {
  // An id is that of something which has to be added first, and an upstream a service in front of which the mock is started.
  if (example === undefined || template.includes('{id}') || template.endsWith('/upstream')) return ''
  const json = JSON.stringify(example.value)
  const path = parameters
    .map((parameter) => follow(document, parameter))
    .reduce((text, { name, example: value }) => text.replace(`{${name}}`, String(value)), template)
  return [
    '```sh',
    `# ${example.summary}`,
    `curl -X ${method} ${ADDRESS}${path} -H 'Content-Type: application/json' -d '${json}'`,
    '```',
  ].join('\n')
}

function describeResponses(document: Document, { responses }: Route, shared: ReadonlyMap<string, string>): string {
  const isShared = (response: object) => '$ref' in response && shared.has(response.$ref as string)
  const rows = Object.entries(responses)
    .filter(([, response]) => !isShared(response))
    .map(([status, response]) => [status, follow(document, response).description])
  return table(['Response', 'Meaning'], rows)
}

/** The type and range of a value in a few words. */
function kindOf(document: Document, reference: Reference<Schema>): string {
  const schema = follow(document, reference)
  if (schema['x-in-words'] !== undefined) return schema['x-in-words']
  if (schema.oneOf !== undefined) return schema.oneOf.map((each) => kindOf(document, each)).join(', or ')
  if (schema.enum !== undefined) return `one of ${codes(schema.enum.map(String))}`
  if (schema.items !== undefined) return `an array, each item ${kindOf(document, schema.items)}`
  return `${NAMES[schema.format ?? ''] ?? NAMES[schema.type ?? ''] ?? 'anything'}${rangeOf(schema)}`
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: '`true` or `false`',
  object: 'an object',
  'date-time': 'an RFC 3339 date-time',
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (maximum !== undefined) return ` from ${minimum} to ${maximum}`
  return minimum === undefined ? '' : ` of ${minimum} or more`
}
