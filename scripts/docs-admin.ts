import { deriveAdminDocument } from '../src/engine/admin/derive-document.js'
import { openapi } from '../src/petstore/documents.js'
import { petstoreService } from '../src/petstore/service.js'
import {
  type Document,
  follow,
  type Reference,
  type Route,
  readDocument,
  routesOf,
  type Schema,
} from './docs-document.js'
import { code, codes, generatedPage, groupBy, oneLine, table } from './docs-markdown.js'

/** The server's default address, for the examples. */
const ADDRESS = 'http://127.0.0.1:4010'

/** The page of the admin API, generated from its OpenAPI document. */
export async function adminPage(): Promise<string> {
  const service = { ...petstoreService, document: openapi.document }
  const document = deriveAdminDocument(await readDocument('admin'), service) as Document
  const routes = document.tags.flatMap(({ name }) =>
    inReadingOrder(routesOf(document).filter(({ tags }) => tags.includes(name))),
  )
  const shared = findShared(document, routes)
  return generatedPage(
    'Admin API',
    'spec/admin.yaml',
    `Controls state, faults, clock and journal over HTTP, however the mock runs. The [cheat sheet](cheat-sheet.md) shows the same
calls in code. This page is generated from [\`spec/admin.yaml\`](../spec/admin.yaml) and what the Pet Store's resources
add to it, which a running mock serves at \`/__admin/openapi.yaml\`.`,
    `Prefix a path with \`/sandbox/<name>\`, or send the header \`X-Petstore-Sandbox: <name>\`, to address that sandbox only. If
the mock requires a token, send \`Authorization: Bearer <token>\`. A body field that is not listed is 400. A request that
fails changes nothing, and its response is \`{ code, message, status }\`. Errors that several paths share are listed
[at the end](#errors-of-several-paths), and a parameter that several paths share is explained at the first of them.`,
    overview(routes),
    ...document.tags.flatMap(({ name, description }) => [
      `## ${name}`,
      description,
      ...routes.filter(({ tags }) => tags.includes(name)).flatMap((route) => describe(document, route, routes, shared)),
    ]),
    '## Errors of several paths',
    table(['Status', 'When'], [...shared].map(([description, status]) => [status, description]).sort()),
  )
}

function overview(routes: readonly Route[]): string {
  const rows = routes.map((route) => [`[${code(`${route.method} ${route.path}`)}](#${anchorOf(route)})`, route.summary])
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

/** The errors that at least three operations share, with their statuses. They are listed once, not for each operation. */
function findShared(document: Document, routes: readonly Route[]): Map<string, string> {
  const errors = routes.flatMap((route) => responsesOf(document, route)).filter(([status]) => !status.startsWith('2'))
  const count = (text: string) => errors.filter(([, other]) => other === text).length
  return new Map(errors.filter(([, text]) => count(text) > 2).map(([status, text]) => [text, status]))
}

function responsesOf(document: Document, { responses }: Route): [status: string, description: string][] {
  return Object.entries(responses).map(([status, response]) => [
    status,
    oneLine(follow(document, response).description),
  ])
}

function describe(
  document: Document,
  route: Route,
  routes: readonly Route[],
  shared: ReadonlyMap<string, string>,
): string[] {
  return [
    `### ${code(`${route.method} ${route.path}`)}`,
    oneLine(route.description),
    ...describeParameters(document, route, routes.slice(0, routes.indexOf(route))),
    ...describeBody(document, route),
    describeResponses(document, route, shared),
  ]
}

/** A table of the parameters that no operation before has, and the names of the others, unless they are in the path. */
function describeParameters(document: Document, { parameters = [] }: Route, before: readonly Route[]): string[] {
  const known = before.flatMap((route) => (route.parameters ?? []).map((parameter) => follow(document, parameter)))
  const all = parameters.map((parameter) => follow(document, parameter))
  const added = all.filter((parameter) => !known.includes(parameter))
  const repeated = all.filter((parameter) => known.includes(parameter) && parameter.in !== 'path')
  const rows = added.map(({ name, in: place, schema, description }) => [
    code(name),
    place,
    kindOf(document, schema),
    description,
  ])
  return [
    repeated.length === 0 ? '' : `Query: ${codes(repeated.map(({ name }) => name))}, as above.`,
    rows.length === 0 ? '' : table(['Parameter', 'In', 'Kind', 'Meaning'], rows),
  ]
}

function describeBody(document: Document, route: Route): string[] {
  const [media] = Object.values(route.requestBody?.content ?? {})
  if (route.requestBody === undefined || media === undefined) return []
  const { properties = {}, required = [] } = follow(document, media.schema)
  const fields = Object.entries(properties).map(([name, property]) => ({
    name: code(name) + (required.includes(name) ? ', required' : ''),
    kind: kindOf(document, property),
    meaning: follow(document, property).description ?? '',
  }))
  const rows = groupBy(fields, ({ kind, meaning }) => `${kind} ${meaning}`).map((same) => [
    same.map(({ name }) => name).join(', '),
    same[0]?.kind ?? '',
    same[0]?.meaning ?? '',
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

function describeResponses(document: Document, route: Route, shared: ReadonlyMap<string, string>): string {
  const own = responsesOf(document, route).filter(([, description]) => !shared.has(description))
  return own.map(([status, description]) => `- ${status}: ${description}`).join('\n')
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
