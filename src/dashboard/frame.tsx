import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { useDesk, useResource, useRoute } from './context.js'
import { CoveragePanel } from './coverage/panel.js'
import { DataPanel } from './data/panel.js'
import { FaultsPanel } from './faults/panel.js'
import type { Connection } from './follow.js'
import { useObservable } from './observable.js'
import { Badge } from './parts/bits.js'
import { CopyButton } from './parts/copy-button.js'
import { Link } from './parts/link.js'
import { RequestsPanel } from './requests/panel.js'
import { splitBase } from './sandbox-address.js'
import { SandboxesPanel } from './sandboxes/panel.js'
import type { Health, Sandbox } from './types.js'
import { hideWelcome, isWelcomeHidden, Welcome } from './welcome.js'
import { WorldPanel } from './world/panel.js'

const PANELS: readonly (readonly [route: string, title: string, panel: ComponentType])[] = [
  ['requests', 'Requests', RequestsPanel],
  ['data', 'Data', DataPanel],
  ['world', 'World', WorldPanel],
  ['faults', 'Faults', FaultsPanel],
  ['coverage', 'Coverage', CoveragePanel],
  ['sandboxes', 'Sandboxes', SandboxesPanel],
]

export interface FrameProps {
  readonly onClose: (() => void) | undefined
  readonly notice: string
}

/** What is around every panel: where one is, whether the connection stands, and the way to the others. */
export function Frame({ onClose, notice }: FrameProps) {
  const { segments } = useRoute()
  const [, title, Panel] = PANELS.find(([route]) => route === segments[0]) ?? (PANELS[0] as (typeof PANELS)[number])
  const { api, live, router } = useDesk()
  // In the page of an application there is no server that has the reference.
  const hasAddress = router.href('/') !== undefined
  const connection = useObservable(live.connection)
  // What is read before events are heard of would have to be read again.
  const begun = useRef(false)
  begun.current ||= connection !== 'connecting'
  useSandboxWatch()
  const [welcome, setWelcome] = useState(() => !isWelcomeHidden())
  const toggle = (shown: boolean) => {
    hideWelcome(!shown)
    setWelcome(shown)
  }
  return (
    <div class="petstore-dashboard">
      <div class="frame">
        <header class="top">
          <button type="button" class="skip" onClick={skipToMain}>
            Skip to the panel
          </button>
          <Brand />
          <div class="top-right">
            <ConnectionState connection={connection} />
            <button type="button" class="button small" aria-expanded={welcome} onClick={() => toggle(!welcome)}>
              What is this?
            </button>
            {hasAddress && (
              <a class="button small" href={`${api.base}/docs`}>
                API reference
              </a>
            )}
            {onClose && (
              <button type="button" class="button small" onClick={onClose}>
                Close
              </button>
            )}
          </div>
        </header>
        <nav class="tabs" aria-label="Panels">
          {PANELS.map(([route, label]) => (
            <Link key={route} to={`/${route}`} class="tab" current={label === title}>
              {label}
            </Link>
          ))}
        </nav>
        <main id="main" tabIndex={-1}>
          {welcome && <Welcome onClose={() => toggle(false)} />}
          <h1 class="out-of-sight">{title}</h1>
          {begun.current ? <Guarded key={title} panel={Panel} /> : <div class="empty" aria-busy="true" />}
        </main>
      </div>
      {connection === 'cut off' && (
        <p class="cut-strip">The mock does not answer. What is shown is as it was; the page comes back by itself.</p>
      )}
      <p class={notice ? 'notice shown' : 'notice'} role="status">
        {notice}
      </p>
    </div>
  )
}

const LOOK_AGAIN_MS = 5000

/** A sandbox can be deleted, or go because it was unused: what happens in its successor is heard of on a new stream. */
function useSandboxWatch(): void {
  const { api, live } = useDesk()
  const { sandbox } = splitBase(api.base)
  const { value: madeAt } = useResource(
    'own sandbox',
    async () => {
      if (sandbox === undefined) return undefined
      const all = await api.main<Sandbox[]>('GET', '/sandboxes')
      return all.find(({ name }) => name === sandbox)?.createdAt ?? 'gone'
    },
    sandbox === undefined ? {} : { everyMs: LOOK_AGAIN_MS },
  )
  const known = useRef(madeAt)
  useEffect(() => {
    if (known.current !== undefined && known.current !== madeAt) live.reopen()
    known.current = madeAt
  }, [madeAt, live])
}

/** Not a link: a fragment would change the address, which is the router's. */
function skipToMain(event: MouseEvent): void {
  const root = (event.currentTarget as HTMLElement).getRootNode() as Document | ShadowRoot
  root.getElementById('main')?.focus()
}

function Brand() {
  const { api } = useDesk()
  const { sandbox } = splitBase(api.base)
  const { value: health } = useResource('health', () => api.control<Health>('GET', '/health'), { topics: ['reset'] })
  useEffect(() => {
    // In the page of an application the title is the application's.
    if (document.getElementById('dashboard')) document.title = `${sandbox ? `${sandbox} · ` : ''}Pet Store mock`
  }, [sandbox])
  return (
    <div class="brand">
      <span class="logo" aria-hidden="true" />
      <div>
        <p class="name">Pet Store mock {sandbox && <Badge kind="accent">sandbox {sandbox}</Badge>}</p>
        <p class="sub">
          <code>{api.base}</code>
          <CopyButton text={() => api.base} what="the base address">
            Copy
          </CopyButton>
          <span class="world-name">{health && `${health.scenario} · seed ${health.seed} · ${health.version}`}</span>
        </p>
      </div>
    </div>
  )
}

const SAYS = { connecting: 'Connecting…', live: 'Live', 'cut off': 'Cut off, reconnecting…' }

function ConnectionState({ connection }: { readonly connection: Connection }) {
  return (
    <p class={`connection ${connection === 'cut off' ? 'cut' : connection}`} role="status">
      {SAYS[connection]}
    </p>
  )
}

/** A panel that breaks says so and leaves the others alone. */
function Guarded({ panel: Panel }: { panel: ComponentType }) {
  const [error, retry] = useErrorBoundary()
  if (error === undefined) return <Panel />
  return (
    <div class="empty" role="alert">
      <p class="empty-title">This panel could not be drawn</p>
      <p>{String(error)}</p>
      <button type="button" class="button" onClick={retry}>
        Try again
      </button>
    </div>
  )
}
