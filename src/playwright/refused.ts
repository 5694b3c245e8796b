import type { BrowserContext, Response } from '@playwright/test'
import type { JournalEntry } from '../engine/control/journal-entry.js'
import { hideSecrets } from '../engine/control/secrets.js'
import { machineDate } from '../lib/clock.js'
import { readRoutedIn } from './route.js'
import type { Target } from './target.js'

/** What a server refuses before the mock sees it, and so does not record: anyone could fill the journal otherwise. */
const STATUSES = [403, 421]
const CODES = ['FORBIDDEN_ORIGIN', 'MISDIRECTED_REQUEST']

/** Records the requests of pages that the server of the mock has refused, in the form of the journal. */
export function recordRefused(context: BrowserContext, { url: mockUrl, toMock, refused }: Target): void {
  context.on('response', (response) => {
    const url = new URL(response.url())
    const routed = readRoutedIn(mockUrl, url.pathname)
    if (!STATUSES.includes(response.status()) || (routed ?? toMock(url.href)) === undefined) return
    if (routed) url.pathname = routed.prefix + routed.path
    refused.push(toEntry(url, response))
  })
}

async function toEntry({ host, pathname, searchParams }: URL, response: Response): Promise<JournalEntry | undefined> {
  const request = response.request()
  try {
    const body = await response.json()
    if (!CODES.includes(body?.code)) return undefined
    const sent = request.postData()
    return {
      id: 0,
      at: new Date(machineDate.now()).toISOString(),
      method: request.method(),
      path: pathname,
      query: Object.fromEntries(searchParams) as never,
      params: {} as never,
      status: response.status(),
      durationMs: Math.max(0, request.timing().responseEnd),
      request: {
        headers: hideSecrets({ ...(await request.allHeaders()), host }),
        ...(sent !== null && { body: sent as never }),
      },
      response: { headers: await response.allHeaders(), body },
    }
  } catch {
    // It is not JSON, or the page is gone.
    return undefined
  }
}
