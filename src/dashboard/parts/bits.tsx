import type { ComponentChildren } from 'preact'
import type { Refusal } from '../api.js'
import { statusClass } from '../format.js'
import { toPieces } from '../pretty.js'

export function StatusBadge({ status }: { readonly status: number }) {
  return (
    <span class={`status s${statusClass(status)}`} title={status === 0 ? 'no answer was sent' : undefined}>
      {status === 0 ? '–' : status}
    </span>
  )
}

export function Badge({ kind = '', children }: { readonly kind?: string; readonly children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>
}

/** Why something could not be done or read. */
export function Problem({ of: refusal }: { readonly of: Refusal | undefined }) {
  if (refusal === undefined) return null
  return (
    <p class="problem box" role="alert">
      {refusal.message}
      {refusal.status > 0 && (
        <code>
          {refusal.status} {refusal.code}
        </code>
      )}
    </p>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p>{children}</p>
    </div>
  )
}

/** Longer texts are shown without colours: each piece is an element of its own. */
const MAX_COLOURED = 30_000

/** Text as it is, in lines; JSON with a little colour. Reachable by keyboard, because it scrolls. */
export function Code({ label, text, json = false }: { label: string; text: string; json?: boolean }) {
  const pieces = json && text.length <= MAX_COLOURED ? toPieces(text) : undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>
        {pieces?.map(({ kind, text: piece }) =>
          kind === 'other' ? piece : <span class={`j-${kind}`}>{piece}</span>,
        ) ?? text}
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
