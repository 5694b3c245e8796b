import { monotonicTime } from '../../lib/clock.js'

export interface Wakefulness {
  /** What a request has to wait for, where the worker may have forgotten for whom it works. */
  whenAwake(): Promise<void> | undefined
  end(): void
}

/**
 * A browser stops a service worker that had nothing to do for half a minute, and msw 2's forgets with that for whom it
 * works. While a page is hidden for long, the page cannot keep it from that; so it is told again whenever the page comes
 * back, and now and then. Until it has answered it would let requests out.
 */
export function stayAwake(): Wakefulness {
  const ending = new AbortController()
  let forgets = false
  let heardAt = monotonicTime.now()
  let doubt: { readonly over: Promise<void>; end(): void } | undefined
  let patience: ReturnType<typeof setTimeout> | undefined

  function beginDoubt(): void {
    clearTimeout(patience)
    patience = setTimeout(endDoubt, PATIENCE_MS)
    if (doubt !== undefined) return
    let end = () => {}
    const over = new Promise<void>((resolve) => {
      end = resolve
    })
    doubt = { over, end }
  }

  /** A worker that does not answer is given up for a while too: no request waits for ever. */
  function endDoubt(): void {
    clearTimeout(patience)
    heardAt = monotonicTime.now()
    doubt?.end()
    doubt = undefined
  }

  function hear({ data }: MessageEvent): void {
    if (data?.type === 'INTEGRITY_CHECK_RESPONSE') forgets = FORGETFUL.test(data.payload?.packageVersion)
    if (data?.type === 'MOCKING_ENABLED') endDoubt()
  }

  function comeBack({ target }: Event): void {
    // An element may get the focus too.
    if (target !== window && target !== document) return
    if (!document.hidden) beginDoubt()
    tell()
  }

  // msw takes its leave when the page says that it may go, which it also says before it opens a mail program and stays.
  function stay(): void {
    beginDoubt()
    setTimeout(() => {
      if (ending.signal.aborted) return
      beginDoubt()
      tell()
    })
  }

  const timer = setInterval(tell, EVERY_MS)
  const { signal } = ending
  navigator.serviceWorker.addEventListener('message', hear, { signal })
  // Before the page's own listeners, which may send requests.
  for (const type of RETURNS) window.addEventListener(type, comeBack, { capture: true, signal })
  window.addEventListener('beforeunload', stay, { capture: true, signal })
  post('INTEGRITY_CHECK_REQUEST')

  return {
    whenAwake() {
      if (!forgets) return undefined
      if (doubt === undefined && monotonicTime.now() - heardAt > STALE_MS) {
        beginDoubt()
        tell()
      }
      return doubt?.over
    },
    end() {
      forgets = false
      clearInterval(timer)
      ending.abort()
      endDoubt()
    },
  }
}

const tell = () => post('MOCK_ACTIVATE')

const post = (message: string) => navigator.serviceWorker.controller?.postMessage(message)

/** Later versions of the worker write down for whom they work. */
const FORGETFUL = /^2\./

const EVERY_MS = 10_000

/** Sooner than any browser stops a worker that has nothing to do. */
const STALE_MS = 20_000

/** How long a worker is given to start and to answer. */
const PATIENCE_MS = 5000

const RETURNS = ['visibilitychange', 'pageshow', 'focus']
