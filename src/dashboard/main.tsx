import { render } from 'preact'
import { App } from './app.js'
import { useHashRouter } from './router.js'

/** The dashboard as a separate page, served by the mock that it shows. */
function Page() {
  const base = location.origin + location.pathname.replace(/\/__admin\/?$/, '')
  return <App base={base} router={useHashRouter()} onSwitch={(other) => location.assign(`${other}/__admin/`)} />
}

render(<Page />, document.getElementById('dashboard') as HTMLElement)
