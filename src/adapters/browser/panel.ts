/** For a shadow root, which separates the styles of the page and the panel. */
const STYLES = `
:host {
  all: initial;
  position: fixed;
  inset: auto 0 0;
  height: min(75vh, 46rem);
  z-index: 2147483647;
  overflow: auto;
  color-scheme: light dark;
  background: Canvas;
  box-shadow: 0 0 1.5rem rgb(0 0 0 / 35%);
}
`

/** Creates a panel over the page with the dashboard of the mock at `base`. The dashboard is loaded on first use. */
export function createPanel(base: string) {
  let opened: { readonly host: HTMLElement; unmount(): void } | undefined
  let opening: Promise<void> | undefined

  async function show(): Promise<void> {
    const { mountDashboard } = await import('../../dashboard/mount.js')
    // It may have been closed in the meantime.
    if (opening === undefined) return
    const host = document.createElement('petstore-mock-dashboard')
    host.setAttribute('role', 'region')
    host.setAttribute('aria-label', 'petstore-mock dashboard')
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLES)
    root.adoptedStyleSheets = [sheet]
    document.body.append(host)
    opened = { host, unmount: mountDashboard(root, { base, onClose: close }) }
  }

  function close(): void {
    opening = undefined
    opened?.unmount()
    opened?.host.remove()
    opened = undefined
  }

  return {
    /** Does nothing if the panel is already open. */
    open(): Promise<void> {
      opening ??= show()
      return opening
    },
    close,
  }
}
