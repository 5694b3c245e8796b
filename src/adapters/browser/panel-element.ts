import { mountDashboard } from '../../dashboard/mount.js'
import { tryStorage } from '../../lib/environment.js'

const DOCK_STYLES = `
:host {
  inset: auto 0 0;
  height: min(50vh, 46rem);
  max-height: 100vh;
}
:host([edge="side"]) {
  inset: 0 0 0 auto;
  width: clamp(320px, 50vw, 36rem);
  max-width: 100vw;
  height: 100vh;
}
.resize {
  position: sticky;
  top: 0;
  z-index: 1;
  height: 6px;
  cursor: ns-resize;
  touch-action: none;
  background: color-mix(in srgb, CanvasText 20%, Canvas);
}
:host([edge="side"]) .resize {
  float: left;
  width: 6px;
  height: 100%;
  cursor: ew-resize;
}
.resize:is(:hover, :focus-visible) { background: Highlight; outline: none; }
`

/** What differs between the edges of the window that the panel can be at. */
const EDGES = {
  bottom: {
    size: 'height',
    padding: 'paddingBottom',
    minPx: 120,
    keys: ['ArrowUp', 'ArrowDown'],
    attributes: { 'aria-orientation': 'horizontal', 'aria-label': 'Height of the dashboard' },
  },
  side: {
    size: 'width',
    padding: 'paddingRight',
    minPx: 320,
    keys: ['ArrowLeft', 'ArrowRight'],
    attributes: { 'aria-orientation': 'vertical', 'aria-label': 'Width of the dashboard' },
  },
} as const

const EDGE_KEY = 'petstore-mock.dashboard.edge'
const STEP_PX = 40

/**
 * Keeps the panel at an edge of the window, and the page beside it: the page gets as much padding there. A bar changes the
 * size. Edge and sizes are stored.
 */
function dockPanel(panel: HTMLElement) {
  const handle = document.createElement('div')
  handle.className = 'resize'
  handle.tabIndex = 0
  handle.setAttribute('role', 'separator')
  const { style: pageStyle } = document.documentElement
  const { paddingBottom, paddingRight } = pageStyle
  let edge: keyof typeof EDGES = tryStorage(() => localStorage.getItem(EDGE_KEY)) === 'side' ? 'side' : 'bottom'

  const windowPx = () => (edge === 'side' ? innerWidth : innerHeight)
  const panelPx = () => (edge === 'side' ? panel.offsetWidth : panel.offsetHeight)
  const sizeKey = () => `petstore-mock.dashboard.${EDGES[edge].size}`

  function resize(px: number): void {
    const { size, minPx } = EDGES[edge]
    const limited = Math.round(Math.max(minPx, Math.min(px, windowPx())))
    panel.style[size] = `${limited}px`
    tryStorage(() => localStorage.setItem(sizeKey(), String(limited)))
    pushPage()
  }

  function pushPage(): void {
    Object.assign(pageStyle, { paddingBottom, paddingRight, [EDGES[edge].padding]: `${panelPx()}px` })
    // For screen readers: a percentage of the window.
    handle.setAttribute('aria-valuenow', String(Math.round((panelPx() / windowPx()) * 100)))
  }

  function place(): void {
    panel.setAttribute('edge', edge)
    Object.assign(panel.style, { width: '', height: '' })
    for (const [name, value] of Object.entries(EDGES[edge].attributes)) handle.setAttribute(name, value)
    const stored = Number(tryStorage(() => localStorage.getItem(sizeKey())))
    if (stored > 0) resize(stored)
    else pushPage()
  }

  function sizeAfter(key: string): number | undefined {
    const [larger, smaller] = EDGES[edge].keys
    if (key === larger) return panelPx() + STEP_PX
    if (key === smaller) return panelPx() - STEP_PX
    if (key === 'Home') return 0
    return key === 'End' ? windowPx() : undefined
  }

  handle.addEventListener('pointerdown', ({ pointerId }) => handle.setPointerCapture(pointerId))
  handle.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (handle.hasPointerCapture(pointerId)) resize(windowPx() - (edge === 'side' ? clientX : clientY))
  })
  handle.addEventListener('keydown', (event) => {
    const px = sizeAfter(event.key)
    if (px === undefined) return
    event.preventDefault()
    resize(px)
  })
  window.addEventListener('resize', pushPage)
  place()
  return {
    handle,
    /** Moves the panel to the other edge. */
    move() {
      edge = edge === 'side' ? 'bottom' : 'side'
      tryStorage(() => localStorage.setItem(EDGE_KEY, edge))
      place()
    },
    /** Gives the page its own padding back. */
    remove() {
      window.removeEventListener('resize', pushPage)
      Object.assign(pageStyle, { paddingBottom, paddingRight })
    },
  }
}

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
