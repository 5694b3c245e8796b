import { monotonicTime } from '../../lib/clock.js'

/**
 * A browser stops a service worker after about half a minute without work. msw 2's worker then forgets its pages and
 * sends their requests to the network. A page that is hidden for long cannot prevent that, so this registers the page
 * again periodically and whenever the page comes back, and makes requests wait until the worker confirms it.
 */
export function keepWorkerActive() {
  const stopped = new AbortController()
  let isForgetful = false
  let confirmedAt = monotonicTime.now()
  let pending: Promise<void> | undefined
  let resolvePending = () => {}
  let timeout: ReturnType<typeof setTimeout> | undefined

  function expectConfirmation(): void {
    clearTimeout(timeout)
    timeout = setTimeout(confirm, CONFIRMATION_TIMEOUT_MS)
    pending ??= new Promise((resolve) => {
      resolvePending = resolve
    })
  }

  /** Also called on timeout, so that no request waits forever. */
  function confirm(): void {
    clearTimeout(timeout)
    confirmedAt = monotonicTime.now()
    resolvePending()
    pending = undefined
  }

  function onMessage({ data }: MessageEvent): void {
    if (data?.type === 'INTEGRITY_CHECK_RESPONSE') isForgetful = FORGETFUL_VERSION.test(data.payload?.packageVersion)
    if (data?.type === 'MOCKING_ENABLED') confirm()
  }

  function onReturn({ target }: Event): void {
    // An element can get the focus too.
    if (target !== window && target !== document) return
    if (!document.hidden) expectConfirmation()
    registerPage()
  }

  // On this event msw unregisters the page, but the page may stay: the event is also fired for a mailto: link.
  function onBeforeUnload(): void {
    expectConfirmation()
    setTimeout(() => {
      if (stopped.signal.aborted) return
      expectConfirmation()
      registerPage()
    })
  }

  const { signal } = stopped
  const interval = setInterval(registerPage, REGISTER_EVERY_MS)
  navigator.serviceWorker.addEventListener('message', onMessage, { signal })
  // Capturing, to run before the page's own listeners, which may send requests.
  for (const type of ['visibilitychange', 'pageshow', 'focus']) {
    window.addEventListener(type, onReturn, { capture: true, signal })
  }
  window.addEventListener('beforeunload', onBeforeUnload, { capture: true, signal })
  post('INTEGRITY_CHECK_REQUEST')

  return {
    /** Returns undefined if requests need not wait for the worker. */
    whenActive(): Promise<void> | undefined {
      if (!isForgetful) return undefined
      if (pending === undefined && monotonicTime.now() - confirmedAt > STALE_AFTER_MS) {
        expectConfirmation()
        registerPage()
      }
      return pending
    },
    stop() {
      isForgetful = false
      clearInterval(interval)
      stopped.abort()
      confirm()
    },
  }
}

const registerPage = () => post('MOCK_ACTIVATE')

const post = (message: string) => navigator.serviceWorker.controller?.postMessage(message)

/** Later versions of the worker store the pages that they work for. */
const FORGETFUL_VERSION = /^2\./

const REGISTER_EVERY_MS = 10_000

/** Less than any browser lets an idle worker run. */
const STALE_AFTER_MS = 20_000

const CONFIRMATION_TIMEOUT_MS = 5000
