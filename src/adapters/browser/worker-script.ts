import type { SetupWorker } from 'msw/browser'
import { MockError } from '../../engine/contract/errors.js'

/** What is written in every worker script of msw. */
const MARK = 'INTEGRITY_CHECKSUM'

/** Makes sure that the script is there, and that the worker that runs is the one that lies there now. */
export async function prepareWorker(address: string): Promise<void> {
  if (!('serviceWorker' in navigator)) {
    throw new MockError('WORKER_UNUSABLE', 'this page can have no service worker: open it on localhost or over https')
  }
  const url = new URL(address, location.href).href
  const text = await readScript(url)
  if (text !== undefined && !text.includes(MARK)) {
    throw new MockError(
      'WORKER_UNUSABLE',
      `there is no service worker script at ${url}: run \`npx petstore-mock init <dir>\` with the folder that is served ` +
        'there, or set the option worker to where the script is',
    )
  }
  const scope = new URL('.', url).href
  if (!location.href.startsWith(scope)) {
    throw new MockError(
      'WORKER_UNUSABLE',
      `the service worker script at ${url} serves pages below ${scope} only, and this page is not: put it higher up`,
    )
  }
  if (text !== undefined) await updateWorker(url, text)
}

/** The script; empty where the server has none, undefined where the server cannot be asked. */
async function readScript(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { cache: 'no-cache' })
    return response.ok ? await response.text() : ''
  } catch {
    return undefined
  }
}

/**
 * A script that was replaced takes effect only when the browser has looked at it again, which takes it seconds. Says
 * whether the worker that runs was an older one.
 */
async function updateWorker(url: string, script: string): Promise<boolean> {
  const registrations = await navigator.serviceWorker.getRegistrations()
  const registration = registrations.find(({ active }) => active?.scriptURL === url)
  if (!registration?.active || script.includes(`'${await checksumOf(registration.active)}'`)) return false
  await registration.update().catch(() => {})
  const incoming = registration.installing ?? registration.waiting
  if (incoming === null) return true
  await new Promise<void>((resolve) => {
    const look = () => {
      if (incoming.state === 'activated' || incoming.state === 'redundant') resolve()
    }
    incoming.addEventListener('statechange', look)
    look()
  })
  return true
}

/** How long a worker that runs is given to say which one it is. */
const PATIENCE_MS = 1000

/** What msw knows its worker scripts by; something that is in no script where the worker does not say. */
function checksumOf(worker: ServiceWorker): Promise<string> {
  return new Promise((resolve) => {
    const listening = new AbortController()
    const finish = (checksum: unknown) => {
      listening.abort()
      resolve(String(checksum))
    }
    const hear = ({ data }: MessageEvent) => {
      if (data?.type === 'INTEGRITY_CHECK_RESPONSE') finish(data.payload?.checksum)
    }
    navigator.serviceWorker.addEventListener('message', hear, { signal: listening.signal })
    navigator.serviceWorker.startMessages()
    worker.postMessage('INTEGRITY_CHECK_REQUEST')
    setTimeout(finish, PATIENCE_MS, 'no answer')
  })
}

/** msw only warns of a script of another version, so its warning is what tells. */
const STALE = /different version of MSW/

export async function startWorker(create: () => SetupWorker, address: string): Promise<SetupWorker> {
  const first = create()
  if (await startsUpToDate(first, address)) return first
  // A worker on its way out, as after a reload, is hidden until msw registers its address again, which brings it back.
  const url = new URL(address, location.href).href
  const script = await readScript(url)
  const wasOlder = script !== undefined && (await updateWorker(url, script))
  first.stop()
  if (wasOlder) {
    const second = create()
    if (await startsUpToDate(second, address)) return second
    second.stop()
  }
  throw new MockError(
    'WORKER_UNUSABLE',
    `the service worker script at ${address} is of another version than the msw in this page: run ` +
      '`npx petstore-mock init <dir>` again and reload the page',
  )
}

async function startsUpToDate(worker: SetupWorker, address: string): Promise<boolean> {
  let isStale = false
  const { warn } = console
  console.warn = (...args: unknown[]) => {
    if (STALE.test(String(args[0]))) isStale = true
    else warn.apply(console, args)
  }
  try {
    // msw 3 has another name for what is to happen to requests of others.
    const options = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass', quiet: true } as const
    await worker.start({ ...options, serviceWorker: { url: address } })
  } finally {
    console.warn = warn
  }
  return !isStale
}
