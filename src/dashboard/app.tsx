import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { decodePercent } from '../lib/text.js'
import { ApiFailure, createApi } from './api.js'
import { ConfirmDialog } from './components/display.js'
import { Field, Form } from './components/form.js'
import { DashboardContext, type PanelControls, type Question } from './context.js'
import { type Connection, createEvents } from './events.js'
import { Layout } from './layout.js'
import type { RequestList } from './requests/request-list.js'
import { type Router, useStored } from './router.js'

interface AppProps {
  base: string
  router: Router
  onSwitch: (base: string) => void
  panel?: PanelControls | undefined
}

/** The dashboard, or a form for the token if the admin API requires one. */
export function App(props: AppProps) {
  const { base, router } = props
  const [token, storeToken] = useStored('sessionStorage', 'petstore-mock.token')
  const [isRejected, setRejected] = useState(false)
  const [, tokenInAddress] = /^token=(.+)$/.exec(router.path) ?? []

  function setToken(given: string): void {
    storeToken(given)
    setRejected(false)
  }
  useLayoutEffect(() => {
    if (tokenInAddress === undefined) return
    // So that it is not visible, copied or in the history.
    router.go('/', { replace: true })
    setToken(decodePercent(tokenInAddress))
  }, [tokenInAddress])

  if (tokenInAddress !== undefined) return null
  return (
    <div class="petstore-dashboard">
      {isRejected ? (
        <TokenForm isWrong={token !== undefined} onToken={setToken} />
      ) : (
        <Connected key={base} {...props} token={token} onUnauthorized={() => setRejected(true)} />
      )}
    </div>
  )
}

interface ConnectedProps extends AppProps {
  token: string | undefined
  onUnauthorized: () => void
}

const NOTICE_MS = 5000

function Connected({ base, router, token, onUnauthorized, onSwitch, panel }: ConnectedProps) {
  const api = useMemo(() => createApi(base, token, onUnauthorized), [])
  const [connection, setConnection] = useState<Connection>('connecting')
  const events = useMemo(() => createEvents(api, setConnection), [])
  useEffect(() => events.follow(), [])
  const [pausedJournal, setPausedJournal] = useState<RequestList>()
  const [notice, setNotice] = useState<{ message: string }>()
  useEffect(() => {
    const timer = setTimeout(() => setNotice(undefined), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const [pending, setPending] = useState<{ question: Question; resolve(isConfirmed: boolean): void }>()

  const dashboard = {
    api,
    events,
    router,
    pausedJournal,
    setPausedJournal,
    notify: (message: string) => setNotice({ message }),
    confirm: (question: Question) => new Promise<boolean>((resolve) => setPending({ question, resolve })),
    switchTo: onSwitch,
  }
  return (
    <DashboardContext.Provider value={dashboard}>
      <Layout connection={connection} panel={panel} />
      <p class="notice" role="status">
        {notice?.message}
      </p>
      {pending && (
        <ConfirmDialog
          {...pending.question}
          onDecide={(isConfirmed) => {
            setPending(undefined)
            pending.resolve(isConfirmed)
          }}
        />
      )}
    </DashboardContext.Provider>
  )
}

/** The form has its own text for this code. */
const WRONG_TOKEN = new ApiFailure('UNAUTHORIZED', '', 401)

function TokenForm({ isWrong, onToken }: { isWrong: boolean; onToken: (token: string) => void }) {
  return (
    <main class="token card">
      <h1>petstore-mock</h1>
      <p>The admin API of this mock requires a token: the one it was started with, or the one it printed.</p>
      <Form
        submit="Open dashboard"
        failure={isWrong ? WRONG_TOKEN : undefined}
        onSubmit={({ token = '' }) => onToken(token.trim())}
      >
        <Field name="token" label="Token" type="password" required />
      </Form>
      <p class="hint">The token is stored in this tab until you close it.</p>
    </main>
  )
}
