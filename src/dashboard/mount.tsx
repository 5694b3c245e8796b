import { render } from 'preact'
import { useState } from 'preact/hooks'
import { App } from './app.js'
import { createInnerRouter } from './router.js'
import { createSession } from './session.js'
import { styles } from './styles/index.js'

export interface MountOptions {
  /** The base address of the mock, without a slash at its end. */
  base: string
  /** Shows a button that closes the dashboard, which calls this. Default: there is none. */
  onClose?: () => void
}

/** Shows the dashboard inside a page of somebody else's, best in a shadow root. What it returns takes it away again. */
export function mountDashboard(root: HTMLElement | ShadowRoot, { base, onClose }: MountOptions): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles.join('\n'))
  const scope = root instanceof ShadowRoot ? root : document
  scope.adoptedStyleSheets = [...scope.adoptedStyleSheets, sheet]
  const address = new URL(base, document.baseURI).href.replace(/\/$/, '')
  render(<Panel base={address} onClose={onClose} />, root)
  return () => {
    render(null, root)
    scope.adoptedStyleSheets = scope.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}

/** Switching to a sandbox stays inside the panel: the address is the application's. */
function Panel({ base, onClose }: { base: string; onClose: (() => void) | undefined }) {
  const [session] = useState(createSession)
  const [router] = useState(createInnerRouter)
  const [current, setCurrent] = useState(base)
  return <App key={current} base={current} session={session} router={router} onSwitch={setCurrent} onClose={onClose} />
}
