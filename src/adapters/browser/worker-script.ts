import type { SetupWorker } from 'msw/browser'
import { MockError } from '../../http/errors.js'

/** Part of every worker script of msw. */
const SCRIPT_MARK = 'INTEGRITY_CHECKSUM'

/** Throws if the page cannot use the worker script at this address. */
export async function checkWorkerScript(url: string): Promise<void> {
  if (!('serviceWorker' in navigator)) {
    throw unusable('This page cannot use service workers. Open it on localhost or over HTTPS.')
  }
  const scope = new URL('.', url).href
  if (!(await isScript(url))) {
    throw unusable(
      `There is no service worker script at ${url}. Run \`npx petstore-mock init <dir>\` with the folder that is ` +
        'served there, or set the option worker to the address of the script.',
    )
  }
  if (!location.href.startsWith(scope)) {
    throw unusable(
      `The service worker script at ${url} serves only pages below ${scope}, which this page is not. Move the script up.`,
    )
  }
}

/** A development server may respond with a page instead of 404. */
async function isScript(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { cache: 'no-cache' })
    return response.ok && (await response.text()).includes(SCRIPT_MARK)
  } catch {
    // The server is offline, but the browser may still have the script.
    return true
  }
}

/** Starts msw's worker with the current script; by itself, the browser updates a script only after some seconds. */
export async function startWorker(create: () => SetupWorker, url: string): Promise<SetupWorker> {
  await updateWorker(url)
  const first = create()
  if (await startsUpToDate(first, url)) return first
  // A worker that is about to be removed, as after a reload, can be updated only once msw has registered it again.
  const isUpdated = await updateWorker(url)
  first.stop()
  if (isUpdated) {
    const second = create()
    if (await startsUpToDate(second, url)) return second
    second.stop()
  }
  throw unusable(
    `The service worker script at ${url} belongs to another version of msw than the page. Run ` +
      '`npx petstore-mock init <dir>` again and reload the page.',
  )
}

/** Returns whether the browser found a new script. */
async function updateWorker(url: string): Promise<boolean> {
  const registrations = await navigator.serviceWorker.getRegistrations()
  const registration = registrations.find(({ active }) => active?.scriptURL === url)
  await registration?.update().catch(() => {})
  const incoming = registration?.installing ?? registration?.waiting
  if (!incoming) return false
  await new Promise<void>((resolve) => {
    const check = () => {
      if (incoming.state === 'activated' || incoming.state === 'redundant') resolve()
    }
    incoming.addEventListener('statechange', check)
    check()
  })
  return true
}

/** msw reports a script of another version only by this warning. */
const VERSION_WARNING = /different version of MSW/

async function startsUpToDate(worker: SetupWorker, url: string): Promise<boolean> {
  let isUpToDate = true
  const { warn } = console
  console.warn = (...args: unknown[]) => {
    if (VERSION_WARNING.test(String(args[0]))) isUpToDate = false
    else warn.apply(console, args)
  }
  try {
    // msw 3 ignores `onUnhandledRequest` and reads `onUnhandledFrame` instead.
    const options = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass', quiet: true } as const
    await worker.start({ ...options, serviceWorker: { url } })
  } finally {
    console.warn = warn
  }
  return isUpToDate
}

function unusable(message: string): MockError {
  return new MockError('WORKER_UNUSABLE', message)
}
