/**
 * A browser stops a service worker that had nothing to do for half a minute, and msw 2's forgets with that for whom it
 * works. While a page is hidden for long, the page cannot keep it from that; so it is told again whenever the page comes
 * back, and now and then.
 */
export function stayAwake(): () => void {
  const tell = () => navigator.serviceWorker.controller?.postMessage('MOCK_ACTIVATE')
  // msw takes its leave when the page says that it may go, which it also says before it opens a mail program and stays.
  const tellAfterwards = () => void setTimeout(tell)
  const timer = setInterval(tell, EVERY_MS)
  // Before the page's own listeners, which may send requests.
  document.addEventListener('visibilitychange', tell, { capture: true })
  for (const type of RETURNS) window.addEventListener(type, tell, { capture: true })
  window.addEventListener('beforeunload', tellAfterwards)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tell, { capture: true })
    for (const type of RETURNS) window.removeEventListener(type, tell, { capture: true })
    window.removeEventListener('beforeunload', tellAfterwards)
  }
}

const EVERY_MS = 10_000

const RETURNS = ['pageshow', 'focus']
