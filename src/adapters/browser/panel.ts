import { tryStorage } from '../../lib/try-storage.js'
import type { addPanel } from './panel-element.js'

/** In the session storage of a tab whose panel is open. */
const KEY = 'petstore-mock.dashboard'

/** Creates a panel over the page with the dashboard of the mock at `base`. The dashboard is loaded on first use. */
export function createPanel(base: string) {
  let opened: ReturnType<typeof addPanel> | undefined
  let opening: Promise<void> | undefined

  async function show(): Promise<void> {
    const element = await import('./panel-element.js')
    // It may have been closed in the meantime.
    if (opening === undefined) return
    opened = element.addPanel(base, dismiss)
    tryStorage(() => sessionStorage.setItem(KEY, 'open'))
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
    opened?.remove()
    opened = undefined
  }

  /** Closes it for good: a later page does not open it again. */
  function dismiss(): void {
    tryStorage(() => sessionStorage.removeItem(KEY))
    close()
  }

  return {
    /** Moves the focus to the panel. Does nothing else if it is already open. */
    async open(): Promise<void> {
      await open()
      opened?.focus()
    },
    /** Opens it if it was open when the page was left. */
    async reopen(): Promise<void> {
      if (tryStorage(() => sessionStorage.getItem(KEY)) != null) await open()
    },
    close,
  }
}
