import { Alert, Button, CopyButton, Link } from './components/display.js'
import { useAction, useDashboard } from './context.js'
import { quoteForShell } from './snippets.js'

const KEY = 'petstore-mock.welcomed'

export function isWelcomeHidden(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

export function hideWelcome(isHidden: boolean): void {
  try {
    if (isHidden) localStorage.setItem(KEY, 'yes')
    else localStorage.removeItem(KEY)
  } catch {
    // Without access to storage, it is shown again next time.
  }
}

/** For a first visit: what this is, its base URL, and three things to try. */
export function Welcome({ onClose }: { readonly onClose: () => void }) {
  const { api, router, notify } = useDashboard()
  const action = useAction()
  const curl = `curl ${quoteForShell(`${api.base}/pets?limit=3`)}`

  const send = () =>
    action.run(async () => {
      await api.send('GET', '/pets?limit=3')
      router.go('/requests')
    })
  const failNext = () =>
    action.run(async () => {
      await api.admin('POST', '/faults', { operation: 'listPets', status: 503, times: 1 })
      notify('The next GET /pets will return 503.')
    })

  return (
    <section class="card welcome" aria-label="Welcome">
      <div class="between">
        <h2>A mock of the Pet Store API</h2>
        <Button onClick={onClose}>Got it</Button>
      </div>
      <p>
        It responds like the Pet Store API and stores its data in memory. Point your application at{' '}
        <code>{api.base}</code>, and use this page to inspect and control the mock.
      </p>
      <ol>
        <li>
          <h3>Send a request</h3>
          <p>
            Run <code>{curl}</code> and see it appear under Requests.
          </p>
          <div class="actions">
            <CopyButton text={() => curl} what="the command">
              Copy command
            </CopyButton>
            <Button onClick={send}>Send it from here</Button>
          </div>
        </li>
        <li>
          <h3>Simulate a failure</h3>
          <p>Make the next GET /pets return 503, and see how your application handles it.</p>
          <div class="actions">
            <Button onClick={failNext}>Fail the next GET /pets</Button>
            <Link to="/faults">All faults</Link>
          </div>
        </li>
        <li>
          <h3>Change the data</h3>
          <p>Place an order, watch the stock go down, move the clock past a sunset date, then reset everything.</p>
          <div class="actions">
            <Link to="/data/orders">Orders</Link>
            <Link to="/data/inventory">Inventory</Link>
            <Link to="/state">State</Link>
          </div>
        </li>
      </ol>
      <Alert failure={action.failure} />
    </section>
  )
}
