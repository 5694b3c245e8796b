import type { ComponentChildren } from 'preact'
import { quoteForShell } from '../snippets/curl.js'
import { useAction } from './action.js'
import { Alert, Button, CopyButton, Link } from './components/display.js'
import { useDashboard } from './context.js'
import { addFailure } from './requests/actions.js'
import { isInPage } from './router.js'

/** For a first visit: what this is, its base URL, and three things to try. */
export function Welcome({ onClose }: { onClose: () => void }) {
  const { api, router } = useDashboard()
  const sending = useAction()
  const { run, failure } = useAction()
  const url = `${api.base}/pets?limit=3`
  const [command, where] = isInPage(router)
    ? [`await fetch(${JSON.stringify(url)})`, ' in the console of the browser']
    : [`curl ${quoteForShell(url)}`, '']

  const send = () => sending.run(() => api.send('GET', '/pets?limit=3').then(() => router.go('/requests')))
  const fail = () =>
    run(() => addFailure(api, api.base, { operation: 'listPets', status: 503, times: 1 }), {
      notice: 'The next GET /pets will return 503.',
    })

  return (
    <section class="card welcome" aria-label="Welcome">
      <div class="between">
        <h2>A mock of the Pet Store API</h2>
        <Button text="Got it" onClick={onClose} />
      </div>
      <p>
        It responds like the Pet Store API and stores its data in memory. Point your application at{' '}
        <code>{api.base}</code>, and use this page to inspect and control the mock.
      </p>
      <ol>
        <Step
          title="Send a request"
          text={
            <>
              Run <code>{command}</code>
              {where} and see it appear under Requests.
            </>
          }
        >
          <CopyButton text="Copy command" copied={() => command} what="the command" />
          {/* Not disabled, so that it keeps the focus. */}
          <Button text={sending.busy ? 'Sending…' : 'Send it from here'} onClick={() => sending.busy || send()} />
        </Step>
        <Step
          title="Simulate a failure"
          text="Make the next GET /pets return 503, and see how your application handles it."
        >
          <Button text="Fail the next GET /pets" onClick={fail} />
          <Link to="/faults" text="All faults" />
        </Step>
        <Step
          title="Change the data"
          text="Place an order, watch the stock go down, move the clock past a sunset date, then reset everything."
        >
          <Link to="/data/orders" text="Orders" />
          <Link to="/data/inventory" text="Inventory" />
          <Link to="/state" text="State" />
        </Step>
      </ol>
      <Alert failure={sending.failure ?? failure} />
    </section>
  )
}

function Step({ title, text, children }: { title: string; text: ComponentChildren; children: ComponentChildren }) {
  return (
    <li>
      <h3>{title}</h3>
      <p>{text}</p>
      <div class="actions">{children}</div>
    </li>
  )
}
