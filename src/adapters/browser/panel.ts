import { createResizeHandle, RESIZE_STYLES } from './resize-handle.js'
import { attempt } from './storage.js'

/** For a shadow root, which separates the styles of the page and the panel. */
const STYLES = `
:host {
  all: initial;
  position: fixed;
  inset: auto 0 0;
  height: min(75vh, 46rem);
  max-height: 100vh;
  z-index: 2147483647;
  overflow: auto;
  color-scheme: light dark;
  background: Canvas;
  box-shadow: 0 0 1.5rem rgb(0 0 0 / 35%);
}
${RESIZE_STYLES}`

/** In the session storage of a tab whose panel is open. */
const KEY = 'petstore-mock.dashboard'

interface OpenPanel {
  readonly host: HTMLElement
  unmount(): void
}

/** Creates a panel over the page with the dashboard of the mock at `base`. The dashboard is loaded on first use. */
export function createPanel(base: string) {
  let opened: OpenPanel | undefined
  let opening: Promise<void> | undefined

  async function show(): Promise<void> {
    const { mountDashboard } = await import('../../dashboard/mount.js')
    // It may have been closed in the meantime.
    if (opening === undefined) return
    const host = document.createElement('petstore-mock-dashboard')
    host.setAttribute('role', 'region')
    host.setAttribute('aria-label', 'petstore-mock dashboard')
    host.tabIndex = -1
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLES)
    root.adoptedStyleSheets = [sheet]
    document.body.append(host)
    opened = { host, unmount: mountDashboard(root, { base, onClose: dismiss }) }
    // After the dashboard, which replaces the contents of the root.
    root.prepend(createResizeHandle(host))
    host.addEventListener('keydown', ({ key, defaultPrevented }) => {
      const closesDialog = root.querySelector('dialog[open]') !== null
      if (key === 'Escape' && !defaultPrevented && !closesDialog) dismiss()
    })
    attempt(() => sessionStorage.setItem(KEY, 'open'))
  }

  function open(): Promise<void> {
    opening ??= show().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }

  function close(): void {
    opening = undefined
    opened?.unmount()
    opened?.host.remove()
    opened = undefined
  }

  /** Closes it for good: a later page does not open it again. */
  function dismiss(): void {
    attempt(() => sessionStorage.removeItem(KEY))
    close()
  }

  return {
    /** Moves the focus to the panel. Does nothing else if it is already open. */
    async open(): Promise<void> {
      await open()
      opened?.host.focus()
    },
    /** Opens it if it was open when the page was left. */
    async reopen(): Promise<void> {
      if (attempt(() => sessionStorage.getItem(KEY)) != null) await open()
    },
    close,
  }
}
