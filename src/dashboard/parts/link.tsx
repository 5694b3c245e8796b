import type { ComponentChildren } from 'preact'
import { useDesk } from '../context.js'

export interface LinkProps {
  readonly to: string
  readonly class?: string
  readonly current?: boolean
  readonly label?: string
  readonly children: ComponentChildren
}

/** Leads to a path of the dashboard. Where paths have no address (in the page of an application) it is a button. */
export function Link({ to, class: className = 'link', current = false, label, children }: LinkProps) {
  const { router } = useDesk()
  const href = router.href(to)
  const shared = { class: className, 'aria-current': current ? ('page' as const) : undefined, 'aria-label': label }
  if (href !== undefined) {
    return (
      <a href={href} {...shared}>
        {children}
      </a>
    )
  }
  return (
    <button type="button" onClick={() => router.go(to)} {...shared}>
      {children}
    </button>
  )
}
