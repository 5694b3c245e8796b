import { useState } from 'react'

interface Props {
  onReset(): void
  onFailNext(): void
  onSlow(on: boolean): void
}

export function MockControls({ onReset, onFailNext, onSlow }: Props) {
  const [said, setSaid] = useState('')

  return (
    <>
      <p>Everything here is answered by petstore-mock inside this browser. No server, no network.</p>
      <details className="panel">
        <summary>Mock controls</summary>
        <div className="panel-body">
          <button
            type="button"
            className="button"
            onClick={() => {
              onReset()
              setSaid('The store is as it was at first.')
            }}
          >
            Reset the store
          </button>
          <button
            type="button"
            className="button"
            onClick={() => {
              onFailNext()
              setSaid('One request will be answered with 503.')
            }}
          >
            Make the next request fail (503)
          </button>
          <label className="switch">
            <input
              type="checkbox"
              onChange={({ target }) => {
                onSlow(target.checked)
                setSaid(target.checked ? 'Every answer takes its time now.' : 'Answers come at once again.')
              }}
            />
            Answer slowly
          </label>
          <p role="status" className="panel-status">
            {said}
          </p>
        </div>
      </details>
    </>
  )
}
