import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createApi } from './api.js'
import { type Desk, DeskContext } from './context.js'
import { Frame } from './frame.js'
import { followMock, type Live } from './live.js'
import { useObservable } from './observable.js'
import type { Router } from './router.js'
import type { Session } from './session.js'
import { TokenForm } from './token-form.js'

export interface AppProps {
  readonly base: string
  readonly session: Session
  readonly router: Router
  readonly onSwitch: (base: string) => void
  readonly onClose?: (() => void) | undefined
}

/** The dashboard, or the question for the token where the control plane does not answer without one. */
export function App(props: AppProps) {
  const refused = useObservable(props.session.refused)
  if (refused === 'no') return <Connected {...props} />
  return <TokenForm wrong={refused === 'wrong'} onToken={(token) => props.session.give(token)} />
}

const NOTICE_MS = 5000

function Connected({ base, session, router, onSwitch, onClose }: AppProps) {
  const api = useMemo(() => createApi(base, session), [base, session])
  const [live, setLive] = useState<Live>()
  const [notice, setNotice] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    const following = followMock(api)
    setLive(following)
    return () => {
      following.stop()
      clearTimeout(timer.current)
    }
  }, [api])

  if (live === undefined) return null
  const desk: Desk = {
    api,
    live,
    router,
    notify(message) {
      clearTimeout(timer.current)
      setNotice(message)
      timer.current = setTimeout(() => setNotice(''), NOTICE_MS)
    },
    switchTo: onSwitch,
  }
  return (
    <DeskContext.Provider value={desk}>
      <Frame onClose={onClose} notice={notice} />
    </DeskContext.Provider>
  )
}
