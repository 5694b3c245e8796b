import type { BrowserContext, Route } from '@playwright/test'

/**
 * Sends the requests of a context's pages below `baseUrl` to a sandbox of a mock. The header that names the
 * sandbox goes to the mock only, never to other origins.
 */
export async function sendToSandbox(
  context: BrowserContext,
  baseUrl: string,
  { url: mockUrl, sandbox }: { readonly url: string; readonly sandbox: string },
): Promise<void> {
  const base = withoutSlash(baseUrl)
  const mock = withoutSlash(mockUrl)
  const isMocked = ({ href }: URL) => href === base || href.startsWith(`${base}/`) || href.startsWith(`${base}?`)
  await context.route(isMocked, async (route) => {
    const request = route.request()
    const url = mock + request.url().slice(base.length)
    const headers = { ...(await request.allHeaders()), 'x-petstore-sandbox': sandbox }
    // Playwright cannot continue with another protocol.
    if (new URL(url).protocol === new URL(request.url()).protocol) await route.continue({ url, headers })
    else await forward(route, url, headers)
  })
}

async function forward(route: Route, url: string, headers: Record<string, string>): Promise<void> {
  try {
    await route.fulfill({ response: await route.fetch({ url, headers, maxRedirects: 0 }) })
  } catch {
    // A fault has broken the connection, or the page is gone.
    await route.abort('connectionreset').catch(() => {})
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
