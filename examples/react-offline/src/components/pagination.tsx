import { type ReactNode, useEffect } from 'react'
import type { Page } from '../api/client'
import { replaceRoute, withQuery } from '../router'

const linkTo = (page: number) => withQuery({ page: page > 1 ? String(page) : '' })

/** Requires a heading `results` on the page. */
export function Pagination({ page, size, total }: Page<unknown>) {
  const last = Math.max(1, Math.ceil(total / size))

  // An old link, or the last item of the last page was deleted.
  useEffect(() => {
    if (page > last) replaceRoute(linkTo(last))
  }, [page, last])

  if (last === 1) return null
  return (
    <nav className="pagination" aria-label="Pages">
      <PageLink page={page - 1} last={last} label="Previous page">
        ← Previous
      </PageLink>
      <span>
        Page {page} of {last}
      </span>
      <PageLink page={page + 1} last={last} label="Next page">
        Next →
      </PageLink>
    </nav>
  )
}

function PageLink({ page, last, label, children }: { page: number; last: number; label: string; children: ReactNode }) {
  // It stays in place, so that the other one does not move under the finger.
  if (page < 1 || page > last) return <span className="button invisible">{children}</span>
  return (
    <a className="button" href={linkTo(page)} aria-label={label} onClick={showResults}>
      {children}
    </a>
  )
}

/** Scrolls another page to its first item, not to the position of the link. */
function showResults() {
  document.getElementById('results')?.focus()
}
