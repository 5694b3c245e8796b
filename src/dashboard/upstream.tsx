import { useState } from 'preact/hooks'
import { isSafeMethod } from '../http/methods.js'
import type { Admin } from './api.js'
import { Alert, Badge, Button, LoadState } from './components/display.js'
import { useAction, useDashboard } from './context.js'
import { useAdmin, useOperations } from './resource.js'

/** The real service behind the mock, and what is passed through to it. */
export function useUpstream() {
  return useAdmin('getUpstream', { topics: ['upstream', 'reset'] })
}

/** A switch for each operation: whether the real service answers it. */
export function UpstreamPanel() {
  const { api } = useDashboard()
  const { value, failure, reload } = useUpstream()
  const operations = useOperations()
  const action = useAction()
  /** What was clicked, until the mock has changed. Meanwhile another render must not undo it. */
  const [clicked, setClicked] = useState<ReadonlyMap<string, { passes: boolean }>>(new Map())
  if (value === undefined) return <LoadState value={value} failure={failure} />
  const { url, passed } = value
  if (url === undefined) return <p class="empty">The mock has no upstream. Start it with --upstream.</p>
  const change = (body: Admin['UpstreamChange']) => action.run(() => api.admin('setUpstream', { body }).then(reload))
  const click = async (operation: string, passes: boolean) => {
    const own = { passes }
    setClicked((all) => new Map(all).set(operation, own))
    await change({ [passes ? 'pass' : 'mock']: [operation] })
    setClicked((all) => new Map([...all].filter(([, each]) => each !== own)))
  }
  return (
    <>
      <Alert failure={failure ?? action.failure} />
      <div class="tools between">
        <strong>
          <code>{url}</code> answers {passed.length} of {operations.length} operations
        </strong>
        <div class="actions">
          <Button text="Pass all that read" onClick={() => change({ pass: ['GET'] })} />
          <Button text="Mock all" onClick={() => change({ mock: ['*'] })} />
        </div>
      </div>
      <section class="card">
        <table>
          <thead>
            <tr>
              <th scope="col">Passed through</th>
              <th scope="col">Operation</th>
            </tr>
          </thead>
          <tbody>
            {operations.map(({ operation, method, path }) => (
              <tr key={operation}>
                <td data-label="Passed through">
                  <input
                    type="checkbox"
                    aria-label={`Pass ${operation} through`}
                    checked={clicked.get(operation)?.passes ?? passed.includes(operation)}
                    onChange={({ currentTarget: { checked } }) => click(operation, checked)}
                  />
                </td>
                <td data-label="Operation">
                  <strong>{operation}</strong> {isSafeMethod(method) || <Badge kind="warn">changes data</Badge>}
                  <div class="quiet mono">
                    {method} {path}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="hint">Until the next reset. A sandbox has switches of its own.</p>
    </>
  )
}
