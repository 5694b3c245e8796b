import type { ComponentChildren } from 'preact'
import { quoteForShell } from '../tools/snippets/request.js'
import type { Admin } from './api.js'
import { Alert, Button, CopyButton, Link } from './components/display.js'
import { useAction, useDashboard } from './context.js'
import { addFailure } from './requests/actions.js'
import { useCollections } from './resource.js'
import { isInPage } from './router.js'

type Example = NonNullable<Admin['Health']['exampleRequest']>

/** For a first visit: what this is, its base URL, and three things to try. */
export function Welcome({ health, onClose }: { health: Admin['Health']; onClose: () => void }) {
  const { api } = useDashboard()
  const { value: collections = [] } = useCollections()
  const { title, exampleRequest } = health
  return (
    <section class="card welcome" aria-label="Welcome">
      <div class="between">
        <h2>A mock of {title}</h2>
        <Button text="Got it" onClick={onClose} />
      </div>
      <p>
        It responds like {title} and stores its data in memory. Point your application at <code>{api.base}</code>, and
        use this page to inspect and control the mock.
      </p>
      <ol>
        {exampleRequest && <Steps example={exampleRequest} />}
        <Step
          title="Change the data"
          text="Create a record, change one, move the clock past a sunset date, then reset everything."
        >
          {collections.slice(0, MAX_COLLECTIONS).map(({ name, title }) => (
            <Link key={name} to={`/data/${name}`} text={title} />
          ))}
          <Link to="/state" text="State" />
        </Step>
      </ol>
    </section>
  )
}

const MAX_COLLECTIONS = 3

function Steps({ example: { operation, target } }: { example: Example }) {
  const { api, router } = useDashboard()
  const sending = useAction()
  const { run, failure } = useAction()
  const url = `${api.base}${target}`
  const [path] = target.split('?')
  const [command, where] = isInPage(router)
    ? [`await fetch(${JSON.stringify(url)})`, ' in the console of the browser']
    : [`curl ${quoteForShell(url)}`, '']

  const send = () => sending.run(() => api.send('GET', target).then(() => router.go('/requests')))
  const fail = () =>
    run(() => addFailure(api, api.base, { operation, status: 503, times: 1 }), {
      notice: `The next GET ${path} will return 503.`,
    })

  return (
    <>
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
        <Alert failure={sending.failure} />
      </Step>
      <Step
        title="Simulate a failure"
        text={`Make the next GET ${path} return 503, and see how your application handles it.`}
      >
        <Button text={`Fail the next GET ${path}`} onClick={fail} />
        <Link to="/faults" text="All faults" />
        <Alert failure={failure} />
      </Step>
    </>
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
