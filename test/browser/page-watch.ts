import type { BrowserCommand, BrowserCommandContext } from 'vitest/node'

/** Chromium prints this for every error response and every failed request. */
const NETWORK_MESSAGE = /^Failed to load resource: /

type Context = BrowserCommandContext['context']

const messages = new WeakMap<Context, string[]>()

/** Records the errors and warnings that a page and its service worker print. Runs in Node. */
export const watchPage: BrowserCommand<[]> = ({ context }) => {
  if (messages.has(context)) return
  const recorded: string[] = []
  messages.set(context, recorded)
  context.on('console', (message) => {
    if (!/^(error|warning|assert)$/.test(message.type()) || NETWORK_MESSAGE.test(message.text())) return
    recorded.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (uncaught) => void recorded.push(`uncaught: ${uncaught.error().stack}`))
}

/** Returns the errors and warnings since the last call. */
export const takePageErrors: BrowserCommand<[]> = async ({ context, page }): Promise<string[]> => {
  // By the time the page responds, its earlier messages have arrived.
  await page.evaluate(() => {})
  return messages.get(context)?.splice(0) ?? []
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    watchPage(): Promise<void>
    takePageErrors(): Promise<string[]>
  }
}
