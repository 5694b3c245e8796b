import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks'
import { type Admin, splitBase, toBase } from './api.js'
import { Alert, Badge, Button, CopyButton, Link, Loading } from './components/display.js'
import { Field, type Option } from './components/form.js'
import { type PanelControls, useAction, useDashboard, useRoute } from './context.js'
import { CoveragePanel } from './coverage.js'
import { DataPanel } from './data/panel.js'
import type { Connection } from './events.js'
import { FaultsPanel } from './faults/panel.js'
import { dateAndTime, describeScenario } from './format.js'
import { RequestsPanel } from './requests/panel.js'
import { useAdmin, useClock, useFaults, useSandboxes } from './resource.js'
import { useStored } from './router.js'
import { SandboxesPanel } from './sandboxes.js'
import { StatePanel, useReset } from './state/panel.js'
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
  const { value: health } = useAdmin('getHealth', { topics: ['reset'] })
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

/** What is in effect, on every tab: the sandbox, faults, overrides, and the clock if it is not the real one. */
function StatusStrip() {
  const { value: faults } = useFaults()
  const { value: overrides } = useAdmin('listOverrides', { topics: ['override', 'reset', 'request'] })
  const { value: clock } = useClock()
  const reset = useReset()
  const { run, failure } = useAction()
  return (
    <section class="strip" aria-label="In effect">
      <SandboxSwitcher />
      <Link to="/faults" text={`Faults: ${countActive(faults)}`} class={linkClass(faults)} />
      <Link to="/faults" text={`Overrides: ${countActive(overrides)}`} class={linkClass(overrides)} />
      {clock && !clock.isReal && (
        <span>
          <Badge kind="warn">{clock.frozen ? 'clock frozen' : 'clock changed'}</Badge>{' '}
          <Link to="/state" text={`${dateAndTime(clock.now)} UTC`} />
        </span>
      )}
      <Button text="Reset" label="Reset the mock" onClick={() => reset(run, 'Reset to the starting data?')} />
      <Alert failure={failure} />
    </section>
  )
}

type Rules = readonly { active: boolean }[] | undefined

/** Nothing before the rules are loaded: "0" would be wrong. */
function countActive(rules: Rules): number | '…' {
  return rules?.filter(({ active }) => active).length ?? '…'
}

const linkClass = (rules: Rules) => (Number(countActive(rules)) > 0 ? 'link strong' : 'link')

const MAIN = '(main)'
const ALL = '(all)'

function SandboxSwitcher() {
  const { api, router, switchTo } = useDashboard()
  const { query } = useRoute()
  const { value: sandboxes = [] } = useSandboxes()
  const { root, sandbox } = splitBase(api.base)
  const names = new Set([...(sandbox === undefined ? [] : [sandbox]), ...sandboxes.map(({ name }) => name).reverse()])
  const options: Option[] = [[MAIN, 'Main'], [ALL, 'All sandboxes (requests)'], ...names]
  const current = query.get('sandboxes') === 'all' ? ALL : (sandbox ?? MAIN)

  function choose(chosen: string): void {
    if (chosen === ALL) router.go('/requests?sandboxes=all')
    else if (chosen === (sandbox ?? MAIN)) router.go('/requests')
    else switchTo(chosen === MAIN ? root : toBase(root, chosen))
  }
  return (
    <form onInput={(event) => choose(String(new FormData(event.currentTarget).get('shown')))}>
      <Field name="shown" label="Sandbox" value={current} options={options} />
    </form>
  )
}
