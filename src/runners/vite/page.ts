import { invalidOption } from '../../http/errors.js'
import { stringifyJson } from '../../lib/json.js'

/** The name by which the page imports the document of a service, and its validators. */
export const COMPILED_MODULE = 'virtual:petstore-mock/compiled'

/** What a service file imports in the page. Its document was loaded before, where there are files. */
export const packageCode = `export * from 'petstore-mock/browser'
import { document } from '${COMPILED_MODULE}'

export const loadDocument = async () => document
`

/** The code that creates the mock: of a service file, of a document, or of the built-in service. */
function creationCode({ document, service }: { document?: string; service?: string }, options: string): string {
  if (service !== undefined) {
    return `import { setupMock } from 'petstore-mock/browser'
import service from ${JSON.stringify(service)}
import { validators } from '${COMPILED_MODULE}'

export const mock = setupMock(service.withValidators(validators), ${options})`
  }
  if (document !== undefined) {
    return `import { defineService, setupMock } from 'petstore-mock/browser'
import { document, validators } from '${COMPILED_MODULE}'

export const mock = setupMock(defineService({ document, validators }), ${options})`
  }
  return `import { setupPetstore } from 'petstore-mock/browser'

export const mock = setupPetstore(${options})`
}

/** The code that starts the mock in the page. */
export function entryCode(of: { document?: string; service?: string }, options: object, keys: object): string {
  return `${creationCode(of, stringifyJson(options) as string)}
export const petstore = mock
globalThis.petstore = petstore
await petstore.start()

const keys = ${JSON.stringify(keys)}
addEventListener('keydown', (event) => {
  if (!Object.entries(keys).every(([name, value]) => event[name] === value)) return
  event.preventDefault()
  void petstore.openDashboard()
})
`
}

const MODIFIERS = { alt: 'altKey', ctrl: 'ctrlKey', meta: 'metaKey', shift: 'shiftKey' }

/** The fields of a keyboard event for a text like `Alt+Shift+P`. By code, because Alt changes the letter on a Mac. */
export function parseKeys(text: string): Record<string, string | boolean> {
  const names = text.toLowerCase().split('+')
  const key = names.pop() ?? ''
  const isValid = /^[a-z\d]$/.test(key) && names.every((name) => name in MODIFIERS)
  if (!isValid) throw invalidOption('dashboardKey', 'a letter or digit with modifiers, such as Alt+Shift+P', text)
  const code = /\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`
  const modifiers = Object.entries(MODIFIERS).map(([name, field]) => [field, names.includes(name)])
  return { ...Object.fromEntries(modifiers), code }
}

const MODULE_SCRIPT = /<script\b[^>]*\btype\s*=\s*["']?module\b[^>]*>/gi
const SOURCE = /\ssrc\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s>]+))/i

/** Makes the module scripts of a page wait until the mock has started, so that it gets their first requests. */
export function waitForMock(html: string, module: string): string {
  return html.replace(MODULE_SCRIPT, (tag) => {
    const source = SOURCE.exec(tag)?.slice(1).find(Boolean)
    // An inline script waits itself, but the modules that it imports do not.
    if (source === undefined) return `${tag}import '${module}'\n`
    // A script of another site.
    if (/^(?:[a-z]+:|\/\/)/i.test(source)) return tag
    const path = /^[./]/.test(source) ? source : `./${source}`
    return `${tag.replace(SOURCE, '')}import '${module}'\nawait import(${JSON.stringify(path)})\n`
  })
}
