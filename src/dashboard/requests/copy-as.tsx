import { useState } from 'preact/hooks'
import { SNIPPET_KINDS, type SnippetKind } from '../../snippets/index.js'
import { CopyButton } from '../components/display.js'
import { Field } from '../components/field.js'
import { useDashboard } from '../context.js'
import { isInPage } from '../router.js'
import { copyRequests, type RequestIdentity } from './reproduction.js'

const NAMES: Partial<Record<SnippetKind, string>> = { playwright: 'Playwright' }

/** Copies a request, or the requests from it to a later one, as code. */
export function CopyAs({ entry, base }: { entry: RequestIdentity; base: string }) {
  const { id } = entry
  const { api, router } = useDashboard()
  const [last, setLast] = useState(String(id))
  // Only the page itself reaches a mock in a page.
  const kinds = SNIPPET_KINDS.filter((kind) => kind !== 'curl' || !isInPage(router))
  const isRun = Number(last) > id
  const what = isRun ? `requests ${id} to ${last}` : 'the request'
  return (
    <details
      class="menu"
      onKeyDown={(event) => {
        const menu = event.currentTarget
        if (event.key !== 'Escape' || !menu.open) return
        event.preventDefault()
        menu.open = false
        menu.querySelector('summary')?.focus()
      }}
    >
      <summary class="button small">Copy as…</summary>
      <form
        onInput={(event) => setLast(String(new FormData(event.currentTarget).get('last')))}
        onSubmit={(event) => event.preventDefault()}
      >
        <Field name="last" label="Up to request" type="number" min={id} value={last} />
      </form>
      <div class="actions">
        {kinds.map((kind) => (
          <CopyButton
            key={kind}
            text={NAMES[kind] ?? kind}
            copied={() => copyRequests(api, base, kind, { first: entry, last: isRun ? Number(last) : id })}
            what={`${what} as ${NAMES[kind] ?? kind}`}
          />
        ))}
      </div>
    </details>
  )
}
