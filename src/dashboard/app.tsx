import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ApiFailure, createApi } from './api.js'
import { ConfirmDialog } from './components/dialog.js'
import { Form, TextField } from './components/form.js'
import { type Dashboard, DashboardContext, type Question } from './context.js'
import { type Events, followEvents } from './events.js'
import { Layout } from './layout.js'
import { createObservable, useObservable } from './observable.js'
import type { Router } from './router.js'
import type { Session } from './session.js'
import type { Journal } from './types.js'

export interface AppProps {
  readonly base: string
  readonly session: Session
  readonly router: Router
  readonly onSwitch: (base: string) => void
  readonly onClose?: (() => void) | undefined
}

/** The dashboard, or a form for the token if the admin API requires one. */
export function App(props: AppProps) {
  const access = useObservable(props.session.access)
  return (
    <div class="petstore-dashboard">
      {access === 'granted' ? (
        <Connected {...props} />
      ) : (
        <TokenForm isWrong={access === 'wrong token'} onToken={props.session.setToken} />
      )}
    </div>
  )
}

const NOTICE_MS = 5000

function Connected({ base, session, router, onSwitch, onClose }: AppProps) {
  const api = useMemo(() => createApi(base, session), [base, session])
  const [events, setEvents] = useState<Events>()
  const [pausedJournal] = useState(() => createObservable<Journal | undefined>(undefined))
  const [notice, setNotice] = useState('')
  const [pending, setPending] = useState<{ question: Question; resolve(isConfirmed: boolean): void }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    const followed = followEvents(api)
    setEvents(followed)
    return () => {
      followed.stop()
      clearTimeout(timer.current)
    }
  }, [api])

  if (events === undefined) return null
  const dashboard: Dashboard = {
    api,
    events,
    router,
    pausedJournal,
    notify(message) {
      clearTimeout(timer.current)
      setNotice(message)
      timer.current = setTimeout(() => setNotice(''), NOTICE_MS)
    },
    confirm: (question) => new Promise((resolve) => setPending({ question, resolve })),
    switchTo: onSwitch,
  }
  return (
    <DashboardContext.Provider value={dashboard}>
      <Layout onClose={onClose} />
      <p class="notice" role="status">
        {notice}
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

const WRONG_TOKEN = new ApiFailure('UNAUTHORIZED', 'The token is wrong.', 401)

function TokenForm({ isWrong, onToken }: { readonly isWrong: boolean; readonly onToken: (token: string) => void }) {
  return (
    <main class="token card">
      <h1>Pet Store mock</h1>
      <p>The admin API of this mock requires a token, which is printed when the mock starts.</p>
      <Form
        submit="Open dashboard"
        action={{ busy: false, failure: isWrong ? WRONG_TOKEN : undefined }}
        onSubmit={({ token = '' }) => onToken(token.trim())}
      >
        <TextField name="token" label="Token" type="password" required />
      </Form>
      <p class="hint">The token is stored in this tab until you close it.</p>
    </main>
  )
}
