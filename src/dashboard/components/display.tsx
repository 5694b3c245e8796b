import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../api.js'
import { useDashboard } from '../context.js'
import { toTokens } from '../pretty-json.js'

export function StatusBadge({ status }: { readonly status: number }) {
  if (status === 0) return <Badge kind="bad">none</Badge>
  return <Badge kind={status >= 500 ? 'bad' : status >= 300 ? 'warn' : 'accent'}>{status}</Badge>
}

export interface ButtonProps {
  readonly kind?: 'small' | 'regular' | 'primary' | 'primary skip' | 'danger'
  /** For screen readers, where the visible text is not enough. */
  readonly label?: string
  readonly disabled?: boolean
  readonly 'aria-expanded'?: boolean
  readonly 'aria-pressed'?: boolean
  readonly onClick: (event: MouseEvent) => void
  readonly children: ComponentChildren
}

export function Button({ kind = 'small', label, ...props }: ButtonProps) {
  return <button type="button" class={`button ${kind}`} aria-label={label} {...props} />
}

export function Badge({ kind = '', children }: { readonly kind?: string; readonly children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>
}

export function Alert({ failure, id }: { readonly failure: ApiFailure | undefined; readonly id?: string }) {
  if (failure === undefined) return null
  return (
    <p id={id} class="error" role="alert" tabIndex={-1}>
      {failure.message}
      {failure.status > 0 && (
        <code>
          {failure.status} {failure.code}
        </code>
      )}
    </p>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  )
}

/** Highlighting makes an element of every token, which is too slow for longer texts. */
const MAX_HIGHLIGHTED = 30_000

export function Code({ label, text, json = false }: { label: string; text: string; json?: boolean }) {
  const tokens = json && text.length <= MAX_HIGHLIGHTED ? toTokens(text) : undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>
        {tokens?.map(({ kind, text }) => (kind === 'other' ? text : <span class={`json-${kind}`}>{text}</span>)) ??
          text}
      </pre>
    </section>
  )
}

export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export interface LinkProps {
  readonly to: string
  readonly class?: string
  readonly current?: boolean
  readonly children: ComponentChildren
}

/** A link to a path of the dashboard; a button in an application's page, where paths have no address. */
export function Link({ to, class: className = 'link', current = false, children }: LinkProps) {
  const { router } = useDashboard()
  const href = router.href(to)
  const shared = { class: className, 'aria-current': current ? ('page' as const) : undefined, children }
  if (href !== undefined) return <a href={href} {...shared} />
  return <button type="button" onClick={() => router.go(to)} {...shared} />
}

export interface CopyButtonProps {
  readonly text: () => string
  /** Names the text in the notification. */
  readonly what: string
  readonly children: string
}

export function CopyButton({ text, what, children }: CopyButtonProps) {
  const { notify } = useDashboard()
  async function copy() {
    notify((await copyText(text())) ? `Copied ${what}.` : `The browser did not allow copying ${what}.`)
  }
  return <Button onClick={copy}>{children}</Button>
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
  const area = document.createElement('textarea')
  area.value = text
  area.style.cssText = 'position:fixed;opacity:0'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

/** Saves text as a file of the user's. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the file after the click returns.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
