import { ROOT, SANDBOX_HEADER } from '../../http/sandbox-headers.js'
import { findTag, loadDocument, type OpenapiDocument, readLocation, toSandbox } from './document.js'
import { createPlugin, keepAccessible, loadSwaggerUi, type SwaggerSystem } from './plugin.js'

/** Where the dashboard stores the admin API's token until the tab is closed. */
const TOKEN_KEY = 'petstore-mock.token'

/** The OpenAPI documents of the service and of the admin API. */
const PATHS = { service: 'openapi.json', admin: '__admin/openapi.json' }

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E

const page = readLocation(location.href)
const name = new URLSearchParams(location.search).get('document') === 'admin' ? 'admin' : 'service'
const storage = findStorage()
let token = storage?.getItem(TOKEN_KEY) ?? undefined

followColorScheme()
showSandbox()
document.querySelector(`[data-document=${name}]`)?.setAttribute('aria-current', 'page')
try {
  await showDocument()
  find('message').remove()
} catch (error) {
  find('message').textContent =
    `The document cannot be shown. ${(error as Error).message} Reload the page to try again.`
}

async function showDocument(): Promise<void> {
  const [SwaggerUi, openapi] = await Promise.all([loadSwaggerUi(), loadWithToken()])
  keepAccessible(find('document'))
  const system = SwaggerUi({
    spec: openapi,
    domNode: find('document'),
    presets: [SwaggerUi.presets.apis],
    plugins: [createPlugin(openapi)],
    layout: 'ReferenceLayout',
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayOperationId: true,
    displayRequestDuration: true,
    // Otherwise it sends the document to a public service.
    validatorUrl: null,
    requestInterceptor: (request: { url: string; headers: Record<string, string> }) => {
      const isAdmin = request.url.startsWith(new URL('__admin/', page.base).href)
      if (isAdmin) Object.assign(request.headers, authorization())
      // Not among the headers, which the page shows as a curl command.
      return { ...request, userFetch: fetchFromInstance }
    },
    onComplete: () => goToHash(system, openapi),
  })
  addEventListener('hashchange', () => goToHash(system, openapi))
}

/** Names the instance, also the root: a cookie may name a sandbox. */
function fetchFromInstance(url: string, init: { headers: Record<string, string> }): Promise<Response> {
  return fetch(url, { ...init, headers: { ...init.headers, [SANDBOX_HEADER]: page.sandbox || ROOT } })
}

async function loadWithToken(): Promise<OpenapiDocument> {
  // From the root: loading it from a sandbox would create the sandbox.
  const headers = { ...authorization(), [SANDBOX_HEADER]: ROOT }
  const openapi = await loadDocument(new URL(PATHS[name], page.root), page.base, headers)
  if (openapi === undefined) {
    find('message').textContent = 'The admin API of this server requires a token.'
    await askForToken()
    return loadWithToken()
  }
  showNames(openapi)
  return openapi
}

function authorization(): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` }
}

/** A browser may deny access to storage. The token is then lost when the page is reloaded. */
function findStorage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

function askForToken(): Promise<void> {
  const form = find('token')
  form.hidden = false
  return new Promise((resolve) => {
    form.onsubmit = (event) => {
      event.preventDefault()
      form.hidden = true
      token = find<HTMLInputElement>('token-value').value
      storage?.setItem(TOKEN_KEY, token)
      resolve()
    }
  })
}

/** Opens the operation or tag in the address: the API's `Link` headers point to `/docs#getBook`. */
function goToHash({ layoutActions }: SwaggerSystem, openapi: OpenapiDocument): void {
  const target = decodeURIComponent(location.hash.slice(1))
  const operationTag = findTag(openapi, target)
  const tag = operationTag ?? openapi.tags?.find(({ name }) => name === target)?.name
  if (tag === undefined) return
  layoutActions.show(['operations-tag', tag], true)
  if (operationTag) layoutActions.show(['operations', tag, target], true)
  scrollToElement(operationTag ? `operations-${tag}-${target}` : `operations-tag-${tag}`)
}

/** Waits until the element is rendered, which takes a frame or more, unless the address has changed meanwhile. */
function scrollToElement(id: string): void {
  const { hash } = location
  requestAnimationFrame(() => {
    if (location.hash !== hash) return
    const element = document.getElementById(id)
    if (element === null) return scrollToElement(id)
    element.scrollIntoView()
    element.querySelector('button')?.focus({ preventScroll: true })
  })
}

function showNames({ info, tags = [] }: OpenapiDocument): void {
  document.title = `${info.title}: API reference`
  const links = tags.map(({ name }) =>
    Object.assign(document.createElement('a'), { href: `#${name}`, textContent: name }),
  )
  find('tags').replaceChildren(...links)
}

function showSandbox(): void {
  find('base').textContent = page.base.href.replace(/\/$/, '')
  const input = find<HTMLInputElement>('sandbox')
  input.value = page.sandbox
  input.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    location.assign(toSandbox(page.root, input.value, location))
  })
  input.addEventListener('focus', () => void suggestSandboxes(), { once: true })
}

/** Without access to the admin API there are no suggestions, but a name can still be typed. */
async function suggestSandboxes(): Promise<void> {
  const url = new URL('__admin/sandboxes', page.root)
  const response = await fetch(url, { headers: authorization() }).catch(() => undefined)
  const sandboxes = response?.ok ? ((await response.json()) as { name: string }[]) : []
  find('sandboxes').replaceChildren(...sandboxes.map(({ name }) => new Option(name)))
}

/** Swagger UI has a dark mode, but does not switch to it by itself. */
function followColorScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()
}
