/**
 * A browser stops a service worker that had nothing to do for half a minute, and msw 2's forgets with that for whom it
 * works. While a page is hidden for long, the page cannot keep it from that; so it is told again whenever the page comes
 * back, and now and then.
 */
export function stayAwake(): () => void {
  const tell = () => navigator.serviceWorker.controller?.postMessage('MOCK_ACTIVATE')
  const timer = setInterval(tell, EVERY_MS)
  // Before the page's own listeners, which may send requests.
  document.addEventListener('visibilitychange', tell, { capture: true })
  for (const type of WINDOW_EVENTS) window.addEventListener(type, tell, { capture: true })
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tell, { capture: true })
    for (const type of WINDOW_EVENTS) window.removeEventListener(type, tell, { capture: true })
  }
}

const EVERY_MS = 10_000

const WINDOW_EVENTS = ['pageshow', 'focus']
