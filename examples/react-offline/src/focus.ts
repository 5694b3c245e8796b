import { useEffect } from 'react'

let lastFocused: EventTarget | null = null
addEventListener('focusin', ({ target }) => {
  lastFocused = target
})

export function focusHeading() {
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
}

/** For what disappears once it was used: the keyboard goes on at the heading, not at the start of the page. */
export function useFocusRescue() {
  useEffect(
    () => () => {
      const lost = lastFocused instanceof Node && !lastFocused.isConnected
      if (lost && document.activeElement === document.body) focusHeading()
    },
    [],
  )
}
