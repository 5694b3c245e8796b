import type { APIRequestContext, BrowserContext, Route } from '@playwright/test'
import { LOOPBACK_HOSTS } from '../../adapters/server/host-names.js'
import { type RoutedPath, readRoutedPath, resolveBaseAddresses, toRoutedPath } from '../../http/base-address.js'
import { invalidOption } from '../../http/errors.js'
import type { BaseUrlOption, Target, ToMock } from './target.js'

/** For requests below `baseUrl`. Only the address names the sandbox, so that a redirect to another origin does not. */
export function createToMock(
  baseUrl: string,
  { url: mockUrl, sandbox }: Pick<Target, 'url' | 'sandbox'>,
  option: BaseUrlOption = 'petstoreBaseUrl',
): ToMock {
  const addresses = resolveBaseAddresses(withLoopbackHosts(baseUrl), undefined, option)
  const mock = mockUrl.replace(/\/+$/, '')
  return (url) => {
    const base = addresses.find(url)
    if (base === undefined) return undefined
    const { pathname, search } = new URL(url)
    // After a redirect, a page has an address that names the sandbox already.
    const routed = readRoutedIn(mock, pathname)
    const path = routed && routed.segment + routed.prefix + routed.path
    return mock + (path ?? toRoutedPath(sandbox, base.path, pathname)) + search
  }
}

/** A routed path of a mock, whose own path is in front of it if its server has several. */
export function readRoutedIn(mockUrl: string, pathname: string): RoutedPath | undefined {
  const own = new URL(mockUrl).pathname.replace(/\/+$/, '')
  return readRoutedPath(pathname.startsWith(`${own}/`) ? pathname.slice(own.length) : pathname)
}

/** Throws if the pages of the application, at `appUrl`, would come from the mock. */
export function rejectWholeApplication(
  { baseUrl, option, url: mockUrl }: Pick<Target, 'baseUrl' | 'option' | 'url'>,
  appUrl: string | undefined,
): void {
  const isOfMock = (url: string) =>
    withLoopbackHosts(mockUrl).some((each) => new URL(each).origin === new URL(url).origin)
  if (appUrl === undefined || !URL.canParse(appUrl) || isOfMock(appUrl)) return
  const addresses = resolveBaseAddresses(withLoopbackHosts(baseUrl), undefined, option)
  if (addresses.find(appUrl) === undefined) return
  const expected = `an address below which only the API is, such as ${new URL('/api', appUrl).href}: the application itself is at ${appUrl}`
  throw invalidOption(option, expected, baseUrl)
}

/** Sends the requests of a context's pages to the mock. */
export async function routePages(context: BrowserContext, toMock: ToMock): Promise<void> {
  await context.route(
    ({ href }) => toMock(href) !== undefined,
    async (route) => {
      const from = route.request().url()
      const url = toMock(from) ?? from
      // Playwright cannot continue with another protocol.
      if (new URL(url).protocol === new URL(from).protocol) await route.continue({ url })
      else await forward(route, url)
    },
  )
}

/** Sends requests without a page to the mock. Every other function of a request context calls `fetch`. */
export function routeRequests(requests: APIRequestContext, toMock: ToMock, baseUrl: string | undefined): void {
  const fetch = requests.fetch.bind(requests)
  requests.fetch = (urlOrRequest, options) => {
    const request = typeof urlOrRequest === 'string' ? undefined : urlOrRequest
    const from = request?.url() ?? String(urlOrRequest)
    const url = URL.canParse(from, baseUrl) ? toMock(new URL(from, baseUrl).href) : undefined
    if (url === undefined) return fetch(urlOrRequest, options)
    if (request === undefined) return fetch(url, options)
    const [method, headers, data] = [request.method(), request.headers(), request.postDataBuffer() ?? undefined]
    return fetch(url, { method, headers, data, ...options })
  }
}

/** The same address with every loopback name, which all reach the same server. */
export function withLoopbackHosts(url: string): string[] {
  const isLoopback = URL.canParse(url) && LOOPBACK_HOSTS.includes(new URL(url).hostname)
  return isLoopback ? LOOPBACK_HOSTS.map((hostname) => Object.assign(new URL(url), { hostname }).href) : [url]
}

async function forward(route: Route, url: string): Promise<void> {
  try {
    const headers = await route.request().allHeaders()
    await route.fulfill({ response: await route.fetch({ url, headers, maxRedirects: 0 }) })
  } catch {
    // A fault has broken the connection, or the page is gone.
    await route.abort('connectionreset').catch(() => {})
  }
}
