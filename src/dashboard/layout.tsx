import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { splitBase } from './api.js'
import { Badge, Button, CopyButton, Link } from './components/display.js'
import { useAdmin, useDashboard, useResource, useRoute } from './context.js'
import { CoveragePanel } from './coverage.js'
import { DataPanel } from './data/panel.js'
import { FaultsPanel } from './faults/panel.js'
import { useObservable } from './observable.js'
import { RequestsPanel } from './requests/panel.js'
import { SandboxesPanel } from './sandboxes.js'
import { StatePanel } from './state/panel.js'
import type { Health, Sandbox } from './types.js'
import { hideWelcome, isWelcomeHidden, Welcome } from './welcome.js'

const TABS: readonly (readonly [route: string, title: string, panel: ComponentType])[] = [
  ['requests', 'Requests', RequestsPanel],
  ['data', 'Data', DataPanel],
  ['state', 'State', StatePanel],
  ['faults', 'Faults', FaultsPanel],
  ['coverage', 'Coverage', CoveragePanel],
  ['sandboxes', 'Sandboxes', SandboxesPanel],
]

/** The badge and text for each state of the connection. */
const CONNECTIONS = {
  connecting: ['', 'Connecting…'],
  live: ['accent', 'Live'],
  disconnected: ['bad', 'Disconnected, reconnecting…'],
} as const

/** The header, the tabs and the current panel. */
export function Layout({ onClose }: { readonly onClose: (() => void) | undefined }) {
  const { segments } = useRoute()
  const [, title, Panel] = TABS.find(([route]) => route === segments[0]) ?? (TABS[0] as (typeof TABS)[number])
  const { api, events, router } = useDashboard()
  const connection = useObservable(events.connection)
  // Panels load their data when they are first drawn. Before events arrive, they would have to load it again.
  const isReady = useRef(false)
  isReady.current ||= connection !== 'connecting'
  useSandboxWatch()
  const [isWelcomeShown, setWelcomeShown] = useState(() => !isWelcomeHidden())
  const showWelcome = (isShown: boolean) => {
    hideWelcome(!isShown)
    setWelcomeShown(isShown)
  }
  return (
    <>
      <div class="frame">
        <header class="top between">
          <Button kind="primary skip" onClick={skipToMain}>
            Skip to main content
          </Button>
          <Brand />
          <div class="actions">
            <p role="status">
              <Badge kind={CONNECTIONS[connection][0]}>{CONNECTIONS[connection][1]}</Badge>
            </p>
            <Button aria-expanded={isWelcomeShown} onClick={() => showWelcome(!isWelcomeShown)}>
              What is this?
            </Button>
            {/* In an application's page there is no server, so no reference. */}
            {router.href('/') !== undefined && (
              <a class="button small" href={`${api.base}/docs`}>
                API reference
              </a>
            )}
            {onClose && <Button onClick={onClose}>Close</Button>}
          </div>
        </header>
        <nav class="tabs" aria-label="Sections">
          {TABS.map(([route, label]) => (
            <Link key={route} to={`/${route}`} class="tab" current={label === title}>
              {label}
            </Link>
          ))}
        </nav>
        <main id="main" tabIndex={-1}>
          {isWelcomeShown && <Welcome onClose={() => showWelcome(false)} />}
          <h1 class="visually-hidden">{title}</h1>
          {isReady.current ? <ErrorBoundary key={title} panel={Panel} /> : <div class="empty" aria-busy="true" />}
        </main>
      </div>
      {connection === 'disconnected' && (
        <p class="notice bad">
          The mock is not responding. This page shows the last known state and reconnects automatically.
        </p>
      )}
    </>
  )
}

const POLL_MS = 5000

/** Reopens the event stream when the sandbox was deleted or has expired, because its successor has another stream. */
function useSandboxWatch(): void {
  const { api, events } = useDashboard()
  const { sandbox } = splitBase(api.base)
  const { value: createdAt } = useResource(
    'sandbox',
    async () => {
      if (sandbox === undefined) return undefined
      const sandboxes = await api.rootAdmin<Sandbox[]>('GET', '/sandboxes')
      return sandboxes.find(({ name }) => name === sandbox)?.createdAt ?? 'deleted'
    },
    sandbox === undefined ? {} : { everyMs: POLL_MS },
  )
  const known = useRef(createdAt)
  useEffect(() => {
    if (known.current !== undefined && known.current !== createdAt) events.reopen()
    known.current = createdAt
  }, [createdAt, events])
}

/** Not a link, because the fragment of the address belongs to the router. */
function skipToMain(event: MouseEvent): void {
  const root = (event.currentTarget as HTMLElement).getRootNode() as Document | ShadowRoot
  root.getElementById('main')?.focus()
}

function Brand() {
  const { api } = useDashboard()
  const { sandbox } = splitBase(api.base)
  const { value: health } = useAdmin<Health>('/health', { topics: ['reset'] })
  useEffect(() => {
    // The title of an application's page belongs to the application.
    if (document.getElementById('dashboard')) document.title = `${sandbox ? `${sandbox} · ` : ''}Pet Store mock`
  }, [sandbox])
  return (
    <div>
      <strong>Pet Store mock</strong> {sandbox && <Badge kind="accent">sandbox {sandbox}</Badge>}
      <p class="actions quiet">
        <code>{api.base}</code>
        <CopyButton text={() => api.base} what="the base URL">
          Copy
        </CopyButton>
        <span>{health && `${health.scenario} · seed ${health.seed} · ${health.version}`}</span>
      </p>
    </div>
  )
}

function ErrorBoundary({ panel: Panel }: { panel: ComponentType }) {
  const [error, retry] = useErrorBoundary()
  if (error === undefined) return <Panel />
  return (
    <div class="empty" role="alert">
      <h2>This section failed to render</h2>
      <p>{String(error)}</p>
      <Button kind="regular" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
