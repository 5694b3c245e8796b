import { copyText } from '../browser-files.js'
import { useDesk } from '../context.js'

export interface CopyButtonProps {
  readonly text: () => string
  /** What the button says. */
  readonly children: string
  /** What was copied, for the notice. */
  readonly what: string
}

export function CopyButton({ text, children, what }: CopyButtonProps) {
  const { notify } = useDesk()
  async function copy() {
    notify((await copyText(text())) ? `Copied ${what}.` : `The browser did not let ${what} be copied.`)
  }
  return (
    <button type="button" class="button small" onClick={copy}>
      {children}
    </button>
  )
}
