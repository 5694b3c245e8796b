import { useEffect, useState } from 'react'
import { fetchPets, type Pet, ShopError } from './shop-client'

type Shown = { state: 'loading' } | { state: 'error'; message: string } | { state: 'ready'; pets: readonly Pet[] }

/** The pets that can be bought. */
export function PetList({ api }: { api: string }) {
  const [attempt, setAttempt] = useState(1)
  const [shown, setShown] = useState<Shown>({ state: 'loading' })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt sends the request again
  useEffect(() => {
    const leaving = new AbortController()
    setShown({ state: 'loading' })
    fetchPets(api, leaving.signal).then(
      (pets) => setShown({ state: 'ready', pets }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setShown({ state: 'error', message: describe(error) })
      },
    )
    return () => leaving.abort()
  }, [api, attempt])

  if (shown.state === 'loading') return <p role="status">Looking for pets …</p>
  if (shown.state === 'error') {
    return (
      <div role="alert">
        <p>{shown.message}</p>
        <button type="button" onClick={() => setAttempt(attempt + 1)}>
          Try again
        </button>
      </div>
    )
  }
  if (shown.pets.length === 0) return <p>No pets are waiting for a home today.</p>
  return (
    <ul>
      {shown.pets.map(({ id, name }) => (
        <li key={id}>{name || 'No name yet'}</li>
      ))}
    </ul>
  )
}

function describe(error: unknown): string {
  if (error instanceof ShopError && error.status === 503) return 'The shop is closed for a moment.'
  if (error instanceof ShopError) return `The shop could not list its pets: ${error.message}`
  return 'The shop cannot be reached.'
}
