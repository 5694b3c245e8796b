import { useAction } from './action.js'
import { type Admin, splitBase, toBase } from './api.js'
import { Alert, Badge, Button, Link } from './components/display.js'
import { Field, type Option } from './components/field.js'
import { useDashboard, useRoute } from './context.js'
import { dateAndTime } from './format.js'
import { useAdmin, useClock, useFaults, useSandboxes } from './resource.js'
import { useReset } from './state/reset.js'

/** What is in effect, on every tab: the sandbox, faults, overrides, and the clock if it is not the real one. */
export function StatusStrip() {
  const { value: faults } = useFaults()
  const { value: overrides } = useAdmin<Admin['Override'][]>('/overrides', { topics: ['override', 'reset', 'request'] })
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
