import { useAction, useDesk } from './context.js'
import { Problem } from './parts/bits.js'
import { CopyButton } from './parts/copy-button.js'
import { Link } from './parts/link.js'
import { quoteForShell } from './snippets.js'

const KEY = 'petstore-mock.welcomed'

export function isWelcomeHidden(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

export function hideWelcome(hidden: boolean): void {
  try {
    if (hidden) localStorage.setItem(KEY, 'yes')
    else localStorage.removeItem(KEY)
  } catch {
    // It is shown again next time, which does no harm.
  }
}

/** For somebody who is here for the first time: what this is, its address, and three things to try. */
export function Welcome({ onClose }: { readonly onClose: () => void }) {
  const { api, router, notify } = useDesk()
  const action = useAction()
  const curl = `curl ${quoteForShell(`${api.base}/pets?limit=3`)}`

  const send = () =>
    action.run(async () => {
      await api.store('GET', '/pets?limit=3')
      router.go('/requests')
    })
  const breakNext = () =>
    action.run(async () => {
      await api.control('POST', '/faults', { operation: 'listPets', status: 503, times: 1 })
      notify('The next GET /pets will answer 503.')
    })

  return (
    <section class="card welcome" aria-label="What this is">
      <div class="welcome-head">
        <div>
          <h2>A pet store that only pretends</h2>
          <p>
            It answers like the Pet Store service, keeps what it is told in memory, and does what you say from here.
            Point your application at its base address:
          </p>
        </div>
        <button type="button" class="button small" onClick={onClose}>
          Got it
        </button>
      </div>
      <p class="address">
        <code>{api.base}</code>
        <CopyButton text={() => api.base} what="the base address">
          Copy the address
        </CopyButton>
      </p>
      <ol class="tries">
        <li>
          <h3>Ask it something</h3>
          <p>
            Run <code>{curl}</code> and watch it appear under Requests.
          </p>
          <div class="actions">
            <CopyButton text={() => curl} what="the command">
              Copy the command
            </CopyButton>
            <button type="button" class="button small" onClick={send}>
              Send it from here
            </button>
          </div>
        </li>
        <li>
          <h3>Make it fail</h3>
          <p>The next GET /pets answers 503, once. See what your application makes of it.</p>
          <div class="actions">
            <button type="button" class="button small" onClick={breakNext}>
              Fail the next GET /pets
            </button>
            <Link to="/faults">All faults</Link>
          </div>
        </li>
        <li>
          <h3>Change the world</h3>
          <p>Place an order, see the stock fall, move the clock past a sunset, and reset when you are done.</p>
          <div class="actions">
            <Link to="/data/orders">Orders</Link>
            <Link to="/data/inventory">Stock</Link>
            <Link to="/world">World</Link>
          </div>
        </li>
      </ol>
      <Problem of={action.problem} />
    </section>
  )
}
