import { render } from 'preact'
import { useState } from 'preact/hooks'
import { App } from './app.js'
import type { PanelControls } from './context.js'
import styles from './dashboard.css' with { type: 'text' }
import { toOtherInstance, useMemoryRouter } from './router.js'

export interface MountOptions {
  /** The base URL of the mock, without a slash at the end. */
  base: string
  panel: PanelControls
}

/** Shows the dashboard in an application's page. Returns a function that removes it. */
export function mountDashboard(root: ShadowRoot, { base, panel }: MountOptions): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets.push(sheet)
  const url = new URL(base, document.baseURI).href.replace(/\/$/, '')
  render(<Panel base={url} panel={panel} />, root)
  return () => {
    render(null, root)
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}

/** Switches to a sandbox inside the panel: the page's address belongs to the application. */
function Panel({ base, panel }: MountOptions) {
  const [current, setCurrent] = useState(base)
  const router = useMemoryRouter()
  function open(other: string): void {
    router.go(toOtherInstance(router.path))
    setCurrent(other)
  }
  return <App base={current} router={router} onSwitch={open} panel={panel} />
}
