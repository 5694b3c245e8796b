import type { BrowserCommand, BrowserCommandContext } from 'vitest/node'

/** What Chromium says of every answer that is no success, and of every request that fails. */
const OF_THE_NETWORK = /^Failed to load resource: /

type Context = BrowserCommandContext['context']

const unreportedErrors = new WeakMap<Context, string[]>()

/** Begins to note what a page and its service worker reportError of. Runs in Node, beside the browser. */
export const watchPage: BrowserCommand<[]> = ({ context }) => {
  if (unreportedErrors.has(context)) return
  const noted: string[] = []
  unreportedErrors.set(context, noted)
  context.on('console', (message) => {
    if (!/^(error|warning|assert)$/.test(message.type()) || OF_THE_NETWORK.test(message.text())) return
    noted.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (uncaught) => void noted.push(`uncaught: ${uncaught.error().stack}`))
}

/** What there was to reportError of since this was last asked. */
export const takeComplaints: BrowserCommand<[]> = async ({ context, page }): Promise<string[]> => {
  // What the page has said before it answers this has arrived by then.
  await page.evaluate(() => {})
  return unreportedErrors.get(context)?.splice(0) ?? []
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    watchPage(): Promise<void>
    takeComplaints(): Promise<string[]>
  }
}
