import { render } from 'preact'
import { App } from './app.js'
import { toOtherInstance, useHashRouter } from './router.js'

/** The dashboard as a separate page, served by the mock that it shows. */
function Page() {
  const base = location.origin + location.pathname.replace(/\/__admin\/?$/, '')
  const router = useHashRouter()
  const open = (other: string) => location.assign(`${other}/__admin/#${toOtherInstance(router.path)}`)
  return <App base={base} router={router} onSwitch={open} />
}

render(<Page />, document.getElementById('dashboard') as HTMLElement)
