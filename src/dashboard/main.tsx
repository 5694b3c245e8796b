import { render } from 'preact'
import { App } from './app.js'
import { createHashRouter } from './router.js'
import { createSession, takeTokenFromAddress } from './session.js'

/** The dashboard as a separate page, served by the mock that it shows. */
const base = location.origin + location.pathname.replace(/\/__admin\/?$/, '')
const session = createSession()
takeTokenFromAddress(session)
const router = createHashRouter(() => takeTokenFromAddress(session))

render(
  <App
    base={base}
    session={session}
    router={router}
    onSwitch={(other) => {
      location.href = `${other}/__admin/`
    }}
  />,
  document.getElementById('dashboard') as HTMLElement,
)
