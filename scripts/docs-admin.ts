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
import { code, codes, oneLine, page, table } from './docs-markdown.js'

/** Where examples are sent: the address that the server listens at by itself. */
const ADDRESS = 'http://127.0.0.1:4010'

/** The page of the control plane: what its document says, in an order to read it in. */
export async function adminPage(): Promise<string> {
  const document = await readDocument('admin')
  const routes = routesOf(document)
  const shared = findShared(routes)
  return page(
    '# The control plane, path by path',
    '<!-- Generated from spec/admin.yaml by `npm run generate`. Do not edit. -->',
    `State, failures, time and what was asked, over HTTP and on every adapter. [Controlling the mock](control.md) says what it
is good for and how the same is done in process; this page is the reference, made from
[\`spec/admin.yaml\`](../spec/admin.yaml), which a running mock serves at \`/__admin/openapi.yaml\`.`,
    `Put \`/sandbox/<name>\` in front of a path, or send the header \`X-Petstore-Sandbox: <name>\`, and it speaks of that
sandbox alone. Where the mock asks for a token, send \`Authorization: Bearer <token>\`. Bodies are closed: a field that is
not listed is 400. A request that fails has changed nothing, and its answer is \`{ code, message, status }\`.`,
    overview(document, routes),
    ...document.tags.flatMap(({ name, description }) => [
      `## ${name}`,
      description,
      ...inReadingOrder(routes.filter(({ tags }) => tags.includes(name))).flatMap((route) =>
        describe(document, route, shared),
      ),
    ]),
    '## What any path may answer',
    table(
      ['Status', ''],
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
  return table(['Method and path', ''], rows)
}

/** As GitHub makes one of a heading. */
function anchorOf({ method, path }: Route): string {
  return `${method} ${path}`
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

/** What is made comes before what becomes of it, and taking away comes last. */
function inReadingOrder(routes: readonly Route[]): Route[] {
  const isRemoval = ({ method }: Route) => method === 'DELETE'
  return [...routes.filter((route) => !isRemoval(route)), ...routes.filter(isRemoval)]
}

/** The answers that most operations may give, with their statuses: said once, and not at each of them. */
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
    describeAnswers(document, route, shared),
  ]
}

function describeParameters(document: Document, { parameters = [] }: Route): string {
  if (parameters.length === 0) return ''
  const rows = parameters
    .map((parameter) => follow(document, parameter))
    .map(({ name, in: place, schema, description }) => [code(name), place, kindOf(document, schema), description])
  return table(['Parameter', 'In', 'Kind', ''], rows)
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
  const need = route.requestBody.required ? '' : ' It may be left out.'
  return [
    `Body: ${oneLine(route.requestBody.description)}${need}`,
    table(['Field', 'Kind', ''], rows),
    exampleOf(route, Object.values(media.examples)[0]),
  ]
}

function exampleOf({ method, path }: Route, example: { summary: string; value: unknown } | undefined): string {
  if (example === undefined) return ''
  const json = JSON.stringify(example.value)
  return [
    '```sh',
    `# ${example.summary}`,
    `curl -X ${method} ${ADDRESS}${path} -H 'Content-Type: application/json' -d '${json}'`,
    '```',
  ].join('\n')
}

function describeAnswers(document: Document, { responses }: Route, shared: ReadonlyMap<string, string>): string {
  const isShared = (response: object) => '$ref' in response && shared.has(response.$ref as string)
  const rows = Object.entries(responses)
    .filter(([, response]) => !isShared(response))
    .map(([status, response]) => [status, follow(document, response).description])
  return table(['Answer', ''], rows)
}

/** What a value must be, in a few words. */
function kindOf(document: Document, reference: Reference<Schema>): string {
  const schema = follow(document, reference)
  if (schema['x-in-words'] !== undefined) return schema['x-in-words']
  if (schema.oneOf !== undefined) return schema.oneOf.map((each) => kindOf(document, each)).join(', or ')
  if (schema.enum !== undefined) return `one of ${codes(schema.enum.map(String))}`
  if (schema.items !== undefined) return `a list, each item ${kindOf(document, schema.items)}`
  return `${NAMES[schema.format ?? ''] ?? NAMES[schema.type ?? ''] ?? 'anything'}${rangeOf(schema)}`
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
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
