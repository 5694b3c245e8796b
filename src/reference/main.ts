import { type DocumentName, findOperation, loadDocument, type OpenapiDocument } from './document.js'
import { keepMending } from './mend.js'
import { type Place, readPlace, toSandbox } from './place.js'
import { referencePlugin } from './plugin.js'
import { loadSwaggerUi, type SwaggerSystem } from './swagger-ui.js'
import { askForToken, readToken } from './token.js'

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E

const place = readPlace(location.href)
const name: DocumentName = new URLSearchParams(location.search).get('document') === 'control' ? 'control' : 'service'

followColourScheme()
showPlace(place)
markDocument(name)
try {
  await show()
  find('message').remove()
} catch (error) {
  find('message').textContent = `The document cannot be shown: ${(error as Error).message}. Load the page again.`
}

async function show(): Promise<void> {
  // Both at once: each takes its time.
  const library = loadSwaggerUi()
  library.catch(() => {})
  let token = readToken()
  let openapi = await loadDocument(name, place.base, token)
  while (openapi === undefined) {
    find('message').textContent = 'The control plane of this server asks for its token.'
    token = await askForToken(find('document'))
    openapi = await loadDocument(name, place.base, token)
  }
  showGroups(openapi)
  keepMending(find('document'))
  const SwaggerUi = await library
  const system = SwaggerUi({
    spec: openapi,
    domNode: find('document'),
    presets: [SwaggerUi.presets.apis],
    plugins: [referencePlugin],
    layout: 'ReferenceLayout',
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayOperationId: true,
    displayRequestDuration: true,
    // It would send the document to a service in the internet.
    validatorUrl: null,
    requestInterceptor: (request: { url: string; headers: Record<string, string> }) => {
      const isAdmin = request.url.startsWith(new URL('__admin/', place.base).href)
      if (isAdmin && token !== undefined) request.headers.Authorization = `Bearer ${token}`
      return request
    },
    onComplete: () => goToHash(system, openapi),
  })
  addEventListener('hashchange', () => goToHash(system, openapi))
}

/** Goes to the operation or the group that the address names: our `Link` headers say `/docs#getPet`. */
function goToHash({ layoutActions }: SwaggerSystem, openapi: OpenapiDocument): void {
  const target = decodeURIComponent(location.hash.slice(1))
  const found = findOperation(openapi, target)
  const tag = found?.tag ?? openapi.tags?.find(({ name }) => name === target)?.name
  if (tag === undefined) return
  layoutActions.show(['operations-tag', tag], true)
  if (found) layoutActions.show(['operations', tag, found.operation], true)
  const id = found ? `operations-${tag}-${found.operation}` : `operations-tag-${tag}`
  // Shown by the next frame.
  requestAnimationFrame(() => {
    const element = document.getElementById(id)
    element?.scrollIntoView()
    element?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true })
  })
}

function showGroups({ tags = [] }: OpenapiDocument): void {
  const links = tags.map(({ name }) => {
    const link = document.createElement('a')
    link.href = `#${name}`
    link.textContent = name
    return link
  })
  find('groups').replaceChildren(...links)
}

function markDocument(shown: DocumentName): void {
  for (const link of document.querySelectorAll<HTMLElement>('[data-document]')) {
    if (link.dataset.document === shown) link.setAttribute('aria-current', 'page')
  }
}

function showPlace(here: Place): void {
  find('base').textContent = here.base.href.replace(/\/$/, '')
  const input = find<HTMLInputElement>('sandbox')
  input.value = here.sandbox
  find('place').addEventListener('submit', (event) => {
    event.preventDefault()
    location.assign(toSandbox(here, input.value, location))
  })
  input.addEventListener('focus', () => void suggestSandboxes(here), { once: true })
}

/** Those there are; where the control plane does not tell, a name can still be typed. */
async function suggestSandboxes({ base }: Place): Promise<void> {
  const token = readToken()
  const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
  const response = await fetch(new URL('__admin/sandboxes', base), { headers }).catch(() => undefined)
  const sandboxes = response?.ok ? ((await response.json()) as { name: string }[]) : []
  find('sandboxes').replaceChildren(...sandboxes.map(({ name }) => new Option(name)))
}

/** Swagger UI has a look for the dark, but is to be told when. */
function followColourScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()
}
