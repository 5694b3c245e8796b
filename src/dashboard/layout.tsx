import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks'
import { useAction } from './action.js'
import { type Admin, splitBase, toBase } from './api.js'
import { Alert, Badge, Button, CopyButton, Link, Loading } from './components/display.js'
import { type PanelControls, useDashboard, useRoute } from './context.js'
import { CoveragePanel } from './coverage.js'
import { DataPanel } from './data/panel.js'
import type { Connection } from './events.js'
import { FaultsPanel } from './faults/panel.js'
import { describeScenario } from './format.js'
import { RequestsPanel } from './requests/panel.js'
import { useAdmin } from './resource.js'
import { SandboxesPanel } from './sandboxes.js'
import { StatePanel } from './state/panel.js'
import { StatusStrip } from './status-strip.js'
import { useStored } from './storage.js'
import { UpstreamPanel, useUpstream } from './upstream.js'
import { Welcome } from './welcome.js'

const TABS: readonly (readonly [route: string, title: string, panel: ComponentType])[] = [
  ['requests', 'Requests', RequestsPanel],
  ['data', 'Data', DataPanel],
  ['state', 'State', StatePanel],
  ['faults', 'Faults', FaultsPanel],
  ['upstream', 'Upstream', UpstreamPanel],
  ['coverage', 'Coverage', CoveragePanel],
  ['sandboxes', 'Sandboxes', SandboxesPanel],
]

/** The badge and text for each state of the connection. */
const CONNECTIONS = {
  connecting: ['', 'Connecting…'],
  live: ['accent', 'Live'],
  paused: ['warn', 'Paused'],
  missing: ['warn', 'No such sandbox'],
  disconnected: ['bad', 'Disconnected, reconnecting…'],
} as const

/** The header, the tabs and the current panel. */
export function Layout({ connection, panel }: { connection: Connection; panel: PanelControls | undefined }) {
  const { segments } = useRoute()
  const [, title, Panel] = TABS.find(([route]) => route === segments[0]) ?? (TABS[0] as (typeof TABS)[number])
  const { api, router, pausedJournal } = useDashboard()
  // Panels load their data when they are first drawn. Before events arrive, they would have to load it again.
  const isReady = useRef(false)
  isReady.current ||= connection !== 'connecting'
  const { value: health } = useAdmin<Admin['Health']>('/health', { topics: ['reset'] })
  const hasUpstream = useUpstream().value?.url !== undefined
  const [welcomed, setWelcomed] = useStored('localStorage', 'petstore-mock.welcomed')
  const isWelcomeShown = welcomed === undefined && Panel === RequestsPanel
  // A panel is a region of its page, which has a header and main content of its own.
  const [Header, Main] = panel ? (['div', 'div'] as const) : (['header', 'main'] as const)
  const [badge, status] = CONNECTIONS[connection === 'live' && pausedJournal ? 'paused' : connection]
  return (
    <>
      <div class="frame">
        <Header class="top between">
          <Button text="Skip to main content" kind="primary skip" onClick={skipToMain} />
          <Brand health={health} />
          {health?.services && <Services names={health.services} />}
          <div class="actions">
            <p role="status">
              <Badge kind={badge}>{status}</Badge>
            </p>
            <Button
              text="What is this?"
              aria-expanded={isWelcomeShown}
              onClick={() => {
                setWelcomed(isWelcomeShown ? 'yes' : undefined)
                if (!isWelcomeShown) router.go('/requests')
              }}
            />
            {/* In an application's page there is no server, so no reference. */}
            {router.href('/') !== undefined && (
              <a class="button small" href={`${api.base}/docs`}>
                API reference
              </a>
            )}
            {panel && (
              <>
                <Button text="Move" title="To the side or the bottom of the window" onClick={panel.move} />
                <Button text="Close" onClick={panel.close} />
              </>
            )}
          </div>
        </Header>
        {isReady.current && <StatusStrip />}
        <nav class="tabs" aria-label="Sections">
          {TABS.filter(([, , each]) => hasUpstream || each !== UpstreamPanel).map(([route, label]) => (
            <Link key={route} to={`/${route}`} text={label} class="tab" isCurrent={label === title} />
          ))}
        </nav>
        <Main id="main" tabIndex={-1}>
          {isWelcomeShown && health && <Welcome health={health} onClose={() => setWelcomed('yes')} />}
          <h1 class="visually-hidden">{title}</h1>
          {connection === 'missing' ? (
            <MissingSandbox />
          ) : isReady.current ? (
            <ErrorBoundary key={title} panel={Panel} />
          ) : (
            <Loading />
          )}
        </Main>
      </div>
      {connection === 'disconnected' && (
        <p class="notice bad">
          The mock is not responding. This page shows the last known state and reconnects automatically.
        </p>
      )}
    </>
  )
}

/** Instead of the panels, which have nothing to show. Looking does not create the sandbox. */
function MissingSandbox() {
  const { api, events } = useDashboard()
  const { run, failure } = useAction()
  return (
    <div class="empty">
      <h2>There is no sandbox {splitBase(api.base).sandbox}</h2>
      <p>It was deleted, it has expired, or nothing has used it yet. The next request that names it creates it.</p>
      <Button
        text="Create it now"
        kind="regular"
        onClick={() => run(() => api.createSandbox(api.base).then(events.retry))}
      />
      <Alert failure={failure} />
    </div>
  )
}

/** Not a link, because the fragment of the address belongs to the router. */
function skipToMain(event: MouseEvent): void {
  const root = (event.currentTarget as HTMLElement).getRootNode() as Document | ShadowRoot
  root.getElementById('main')?.focus()
}

function Brand({ health }: { health: Admin['Health'] | undefined }) {
  const { api } = useDashboard()
  const { sandbox } = splitBase(api.base)
  const title = health?.title
  useEffect(() => {
    // The title of an application's page belongs to the application.
    if (!document.getElementById('dashboard')) return
    document.title = [sandbox, title, 'petstore-mock'].filter(Boolean).join(' · ')
  }, [sandbox, title])
  return (
    <div>
      <strong>{title ?? 'petstore-mock'}</strong> {sandbox && <Badge kind="accent">sandbox {sandbox}</Badge>}
      <p class="actions quiet">
        <code>{api.base}</code>
        <CopyButton text="Copy" copied={() => api.base} what="the base URL" />
        <span>
          {health && `scenario ${describeScenario(health)} · seed ${health.seed} · petstore-mock ${health.version}`}
        </span>
      </p>
    </div>
  )
}

/** Links to the dashboards of all services of a server, in the same sandbox. */
function Services({ names }: { names: readonly string[] }) {
  const { api } = useDashboard()
  const { root, sandbox } = splitBase(api.base)
  const current = names.find((name) => root.endsWith(`/${name}`))
  // In a page, services have base URLs of their own.
  if (current === undefined || names.length === 1) return null
  const server = root.slice(0, -current.length - 1)
  return (
    <nav class="actions" aria-label="Services">
      {names.map((name) => (
        <a
          key={name}
          class="button small"
          href={`${toBase(`${server}/${name}`, sandbox ?? '')}/__admin/`}
          aria-current={name === current ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}

function ErrorBoundary({ panel: Panel }: { panel: ComponentType }) {
  const [error, retry] = useErrorBoundary()
  if (error === undefined) return <Panel />
  return (
    <div class="empty" role="alert">
      <h2>This section failed to render</h2>
      <p>{String(error)}</p>
      <Button text="Try again" kind="regular" onClick={retry} />
    </div>
  )
}
