import { mountDashboard } from '../../dashboard/mount.js'
import { DOCK_STYLES, dockPanel } from './dock-panel.js'

/** For a shadow root, which separates the styles of the page and the panel. */
const STYLES = `
:host {
  all: initial;
  position: fixed;
  z-index: 2147483647;
  overflow: auto;
  color-scheme: light dark;
  background: Canvas;
  box-shadow: 0 0 1.5rem rgb(0 0 0 / 35%);
}
${DOCK_STYLES}`

/** Adds the dashboard to the page. `onClose` is called by its button and by Esc. */
export function addPanel(base: string, onClose: () => void) {
  const host = document.createElement('petstore-mock-dashboard')
  host.setAttribute('role', 'region')
  host.setAttribute('aria-label', 'petstore-mock dashboard')
  host.tabIndex = -1
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [sheet]
  document.body.append(host)
  const dock = dockPanel(host)
  const unmount = mountDashboard(root, { base, panel: { close: onClose, move: dock.move } })
  // After the dashboard, which replaces the contents of the root.
  root.prepend(dock.handle)
  host.addEventListener('keydown', ({ key, defaultPrevented }) => {
    const closesDialog = root.querySelector('dialog[open]') !== null
    if (key === 'Escape' && !defaultPrevented && !closesDialog) onClose()
  })
  // The page cannot see that they are typed into a field here, and may have shortcuts.
  for (const type of ['keydown', 'keypress', 'keyup']) host.addEventListener(type, (event) => event.stopPropagation())
  return {
    focus: () => host.focus(),
    remove() {
      unmount()
      dock.remove()
      host.remove()
    },
  }
}
