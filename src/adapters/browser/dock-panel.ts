import { tryStorage } from '../../lib/try-storage.js'

export const RESIZE_STYLES = `
.resize {
  position: sticky;
  top: 0;
  z-index: 1;
  height: 6px;
  cursor: ns-resize;
  touch-action: none;
  background: color-mix(in srgb, CanvasText 20%, Canvas);
}
.resize:is(:hover, :focus-visible) { background: Highlight; outline: none; }
`

const KEY = 'petstore-mock.dashboard.height'
const MIN_PX = 120
const STEP_PX = 40

/** Creates a bar that changes the height of the panel, which is at the bottom of the window. The height is stored. */
export function createResizeHandle(panel: HTMLElement): HTMLElement {
  const handle = document.createElement('div')
  handle.className = 'resize'
  handle.tabIndex = 0
  const attributes = { role: 'separator', 'aria-orientation': 'horizontal', 'aria-label': 'Height of the dashboard' }
  for (const [name, value] of Object.entries(attributes)) handle.setAttribute(name, value)

  function resize(height: number): void {
    const limited = Math.round(Math.max(MIN_PX, Math.min(height, innerHeight)))
    panel.style.height = `${limited}px`
    tryStorage(() => localStorage.setItem(KEY, String(limited)))
    showValue()
  }

  /** For screen readers: a percentage of the window. */
  function showValue(): void {
    handle.setAttribute('aria-valuenow', String(Math.round((panel.offsetHeight / innerHeight) * 100)))
  }

  handle.addEventListener('pointerdown', ({ pointerId }) => handle.setPointerCapture(pointerId))
  handle.addEventListener('pointermove', ({ pointerId, clientY }) => {
    if (handle.hasPointerCapture(pointerId)) resize(innerHeight - clientY)
  })
  handle.addEventListener('keydown', (event) => {
    const height = heightAfter(event.key, panel.offsetHeight)
    if (height === undefined) return
    event.preventDefault()
    resize(height)
  })
  const stored = Number(tryStorage(() => localStorage.getItem(KEY)))
  if (stored > 0) resize(stored)
  else showValue()
  return handle
}

function heightAfter(key: string, height: number): number | undefined {
  if (key === 'ArrowUp') return height + STEP_PX
  if (key === 'ArrowDown') return height - STEP_PX
  if (key === 'Home') return MIN_PX
  return key === 'End' ? innerHeight : undefined
}
