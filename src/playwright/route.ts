import type { BrowserContext, Route } from '@playwright/test'
import { LOOPBACK_HOSTS } from '../adapters/server/host-names.js'
import { resolveBaseAddresses } from '../engine/base-address.js'
import { SANDBOX_HEADER } from '../engine/sandbox-headers.js'

/**
 * Sends the requests of a context's pages below `baseUrl` to a sandbox of a mock. The header that names the
 * sandbox goes to the mock only, never to other origins.
 */
export async function sendToSandbox(
  context: BrowserContext,
  baseUrl: string,
  { url: mockUrl, sandbox }: { readonly url: string; readonly sandbox: string },
): Promise<void> {
  const addresses = resolveBaseAddresses(withLoopbackHosts(baseUrl), undefined, 'petstoreBaseUrl')
  const mock = mockUrl.replace(/\/+$/, '')
  const isMocked = ({ href }: URL) => addresses.find(href) !== undefined
  await context.route(isMocked, async (route) => {
    const request = route.request()
    const { pathname, search } = new URL(request.url())
    const base = addresses.find(request.url())?.path ?? ''
    const url = mock + pathname.slice(base.length) + search
    // With the prefix, the page can follow references in the responses.
    const prefix = base && { 'x-forwarded-prefix': base }
    const headers = { ...(await request.allHeaders()), ...prefix, [SANDBOX_HEADER.toLowerCase()]: sandbox }
    // Playwright cannot continue with another protocol.
    if (new URL(url).protocol === new URL(request.url()).protocol) await route.continue({ url, headers })
    else await forward(route, url, headers)
  })
}

/** A request by another loopback name would reach the mock as well, but not the sandbox. */
function withLoopbackHosts(baseUrl: string): string | URL[] {
  const isLoopback = URL.canParse(baseUrl) && LOOPBACK_HOSTS.includes(new URL(baseUrl).hostname)
  return isLoopback ? LOOPBACK_HOSTS.map((hostname) => Object.assign(new URL(baseUrl), { hostname })) : baseUrl
}

async function forward(route: Route, url: string, headers: Record<string, string>): Promise<void> {
  try {
    await route.fulfill({ response: await route.fetch({ url, headers, maxRedirects: 0 }) })
  } catch {
    // A fault has broken the connection, or the page is gone.
    await route.abort('connectionreset').catch(() => {})
  }
}
