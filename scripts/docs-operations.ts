import { follow, type Route, readDocument, routesOf } from './docs-document.js'
import { code, codes, generatedPage, table } from './docs-markdown.js'

/** The page of the operations of the service. */
export async function operationsPage(): Promise<string> {
  const document = await readDocument('openapi')
  const rows = routesOf(document).map((route) => [
    code(route.operationId),
    code(`${route.method} ${route.path}`),
    codes((route.parameters ?? []).map((each) => follow(document, each)).flatMap(inQuery)),
    stabilityOf(route),
    Object.keys(route.responses)
      .filter((status) => /^\d+$/.test(status))
      .join(', '),
  ])
  return generatedPage(
    'Operations',
    'spec/openapi.yaml',
    `The operations of [\`spec/openapi.yaml\`](../spec/openapi.yaml), which has all schemas and examples; a running mock displays
it at \`/docs\`. \`HEAD\` works wherever \`GET\` does, and \`OPTIONS\` on every path. The stability says how much of an
operation the source specification defines: see [behaviour](behaviour.md). A row without one is
defined by it.`,
    table(['Operation', 'Method and path', 'Query', 'Stability', 'Statuses'], rows),
  )
}

function inQuery({ name, in: place }: { name: string; in: string }): string[] {
  return place === 'query' ? [name] : []
}

function stabilityOf({ deprecated, 'x-stability': stability = '', 'x-deprecated-sunset': sunset }: Route): string {
  return deprecated ? `deprecated, sunset ${sunset}` : stability
}
