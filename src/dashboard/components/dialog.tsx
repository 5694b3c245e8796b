import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Question } from '../context.js'
import { Button } from './display.js'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current as HTMLDialogElement
    dialog.showModal()
    // Closing it before it is removed returns the focus to where it was.
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}

export function ConfirmDialog({ title, text, action, onDecide }: Question & { onDecide(isConfirmed: boolean): void }) {
  return (
    <Dialog title={title} onClose={() => onDecide(false)}>
      <p>{text}</p>
      <div class="actions end">
        <Button kind="regular" onClick={() => onDecide(false)}>
          Cancel
        </Button>
        <Button kind="danger" onClick={() => onDecide(true)}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
