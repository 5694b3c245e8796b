import { useEffect } from 'react'

let lastFocused: EventTarget | null = null
addEventListener('focusin', ({ target }) => {
  lastFocused = target
})

export function focusHeading() {
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
}

/** For an element that disappears after use: moves the focus to the heading, not to the start of the page. */
export function useFocusRescue() {
  useEffect(
    () => () => {
      const lost = lastFocused instanceof Node && !lastFocused.isConnected
      if (lost && document.activeElement === document.body) focusHeading()
    },
    [],
  )
}
