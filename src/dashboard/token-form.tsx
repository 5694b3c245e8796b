import { useState } from 'preact/hooks'
import { Text } from './parts/field.js'

export interface TokenFormProps {
  readonly wrong: boolean
  readonly onToken: (token: string) => void
}

export function TokenForm({ wrong, onToken }: TokenFormProps) {
  const [token, setToken] = useState('')
  return (
    <div class="petstore-dashboard">
      <main class="gate">
        <form
          class="card"
          onSubmit={(event) => {
            event.preventDefault()
            if (token.trim()) onToken(token.trim())
          }}
        >
          <h1>Pet Store mock</h1>
          <p>The control plane of this mock asks for its token. The mock printed it when it was started.</p>
          <Text
            label="Token"
            type="password"
            value={token}
            onInput={setToken}
            wide
            problem={wrong ? 'That is not the token of this mock.' : undefined}
          />
          <button type="submit" class="button primary">
            Open the dashboard
          </button>
          <p class="hint">It is kept in this tab only, until the tab is closed.</p>
        </form>
      </main>
    </div>
  )
}
