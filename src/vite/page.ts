import { invalidOption } from '../engine/contract/errors.js'
import { stringifyJson } from '../lib/json.js'

/** The code that starts the mock in the page. */
export function entryCode(options: object, keys: object): string {
  return `import { setupPetstore } from 'petstore-mock/browser'

export const petstore = setupPetstore(${stringifyJson(options)})
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
