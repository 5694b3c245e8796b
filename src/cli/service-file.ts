import type { Service } from './choose-service.js'

/** A service file for a document that does what the document alone does, with places for what it cannot say. */
export function serviceFile(service: Service, document: string): string {
  const resources = service.resources.map(({ name, path }) => `    ${toKey(name)}: { path: ${quote(path)} },`)
  const stateless = [...service.stateless].map((operation) => {
    const [status = 200] = statusesOf(service, operation)
    return `    // ${toKey(operation)}: ({ body }) => ({ status: ${status}, body: {} }),`
  })
  return `import { defineService, loadDocument } from 'petstore-mock'

export default defineService({
  document: await loadDocument(new URL(${quote(document)}, import.meta.url)),
  // What the document does not say about them: references that must exist, defaults, filters.
  resources: {
${resources.join('\n')}
  },
  // Operations with rules. The others do what the document says; these keep no state until you give them a function:
  operations: {
${stateless.join('\n')}
  },
})
`
}

const toKey = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : quote(name))

/** A name may have line breaks, which would end a comment. */
const quote = (text: string) =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll(/[\u2028\u2029]/g, ' ')}'`

function statusesOf({ contract }: Service, name: string): readonly number[] {
  return contract.operations().find(({ operation }) => operation === name)?.statuses ?? []
}
