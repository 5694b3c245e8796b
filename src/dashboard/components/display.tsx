import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Admin, type ApiFailure, toFailure } from '../api.js'
import { type Question, useDashboard } from '../context.js'
import { toTokens } from '../format.js'

interface ButtonProps {
  text: string
  /** For screen readers, where the text is not enough. */
  label?: string
  /** A hint that appears when the pointer rests on it. */
  title?: string | undefined
  kind?: 'small' | 'small unfold' | 'regular' | 'primary' | 'primary skip' | 'danger'
  disabled?: boolean
  'aria-expanded'?: boolean
  'aria-pressed'?: boolean
  onClick: (event: MouseEvent) => void
}

/** A button that becomes disabled keeps the focus; with the attribute `disabled`, it would lose it. */
export function Button({ text, label, kind = 'small', disabled = false, onClick, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      class={`button ${kind}`}
      aria-label={label}
      aria-disabled={disabled}
      onClick={disabled ? undefined : onClick}
      {...props}
    >
      {text}
    </button>
  )
}

/** A link to a path of the dashboard; a button in an application's page, where paths have no address. */
export function Link(props: { to: string; text: string; class?: string; isCurrent?: boolean }) {
  const { to, text, class: className = 'link', isCurrent } = props
  const { router } = useDashboard()
  const href = router.href(to)
  const shared = { class: className, 'aria-current': isCurrent ? ('page' as const) : undefined, children: text }
  if (href !== undefined) return <a href={href} {...shared} />
  return <button type="button" onClick={() => router.go(to)} {...shared} />
}

export function Badge({ kind = '', children }: { kind?: string; children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>
}

export function StatusBadge({ status, pending }: Pick<Admin['JournalEntry'], 'status' | 'pending'>) {
  if (pending) return <Badge>pending</Badge>
  if (status === 0) return <Badge kind="bad">none</Badge>
  return <Badge kind={status >= 500 ? 'bad' : status >= 300 ? 'warn' : 'accent'}>{status}</Badge>
}

export function Alert({ failure }: { failure: ApiFailure | undefined }) {
  if (failure === undefined) return null
  return (
    <p class="error" role="alert" tabIndex={-1}>
      {failure.message}
      <ResponseCode failure={failure} />
    </p>
  )
}

/** The status and code of an error response. */
export function ResponseCode({ failure }: { failure: ApiFailure | undefined }) {
  if (failure === undefined || failure.status === 0) return null
  return <code>{`${failure.status} ${failure.code}`}</code>
}

export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  )
}

/** Why a value could not be loaded, or that it has not arrived yet. */
export function LoadState({ value, failure }: { value: unknown; failure: ApiFailure | undefined }) {
  if (failure) return <Alert failure={failure} />
  return value === undefined ? <Loading /> : null
}

/** Invisible at first: most values arrive at once. */
export function Loading() {
  return (
    <p class="empty loading" role="status">
      Loading…
    </p>
  )
}

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

interface ItemProps {
  title: string
  badge?: ComponentChildren
  text?: string
  facts: string
  /** Shown below the facts. */
  details?: ComponentChildren
  /** Its buttons. */
  children: ComponentChildren
}

/** An item of a list with the class `list`. */
export function Item({ title, badge, text, facts, details, children }: ItemProps) {
  return (
    <li>
      <div>
        <p>
          <strong>{title}</strong> {badge}
        </p>
        {text && <p>{text}</p>}
        <p class="quiet">{facts}</p>
        {details}
      </div>
      <div class="actions">{children}</div>
    </li>
  )
}

export function Facts(props: {
  class?: string
  facts: readonly (readonly [name: string, value: ComponentChildren])[]
}) {
  return (
    <dl class={props.class ?? 'facts'}>
      {props.facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Highlighting makes an element of every token, which is too slow for longer texts. */
const MAX_HIGHLIGHTED = 30_000

export function Code({ label, text, json = false }: { label: string; text: string; json?: boolean }) {
  const tokens = json && text.length <= MAX_HIGHLIGHTED ? toTokens(text) : [{ kind: 'other', text }]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>
        {tokens.map(({ kind, text }) => (kind === 'other' ? text : <span class={`json-${kind}`}>{text}</span>))}
      </pre>
    </section>
  )
}

interface CopyButtonProps {
  text: string
  copied: () => string | Promise<string>
  /** Names the copied text in the notification. */
  what: string
}

export function CopyButton({ text, copied, what }: CopyButtonProps) {
  const { notify } = useDashboard()
  async function copy() {
    try {
      notify((await copyText(await copied())) ? `Copied ${what}.` : `The browser did not allow copying ${what}.`)
    } catch (error) {
      notify(toFailure(error).message)
    }
  }
  return <Button text={text} onClick={copy} />
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

/** For pages on plain HTTP, other than on localhost, which have no `navigator.clipboard`. */
function copySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null
  const area = document.createElement('textarea')
  area.value = text
  area.style.cssText = 'position:fixed;opacity:0'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  focused?.focus()
  return isCopied
}

/** Saves text as a file of the user's. */
export function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  // Some browsers read the file after the click returns.
  setTimeout(() => URL.revokeObjectURL(href), 1000)
}

/**
 * For a button that removes its own item. Afterwards the focus is on the heading of the section, so that the keyboard goes on
 * from there; otherwise the browser would start over at the top of the page.
 */
export async function keepFocus(event: MouseEvent, remove: () => Promise<boolean>): Promise<void> {
  const heading = (event.currentTarget as HTMLElement).closest('section')?.querySelector('h2')
  if (!heading || !(await remove())) return
  heading.tabIndex = -1
  heading.focus()
}

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
