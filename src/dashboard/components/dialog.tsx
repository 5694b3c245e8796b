import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Question } from '../context.js'
import { Button } from './display.js'

export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const { title, onClose, children } = props
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
        <Button text="Cancel" kind="regular" onClick={() => onDecide(false)} />
        <Button text={action} kind="danger" onClick={() => onDecide(true)} />
      </div>
    </Dialog>
  )
}
