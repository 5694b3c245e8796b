import { setupPetstore } from 'petstore-mock/browser'
import type { ReactNode } from 'react'
import { refreshAll } from '../api/use-load'
import { MockControls } from './mock-controls'

/** The operations that this app uses. The controls affect these. */
const OPERATIONS = [
  'listPets',
  'getPet',
  'listCategories',
  'getCategory',
  'getInventory',
  'listOrders',
  'createOrder',
  'updateOrder',
  'deleteOrder',
] as const

const SLOW_MS = 1200

/** Starts a mock of everything below `api` in this tab, and returns its controls for the footer. */
export async function startMock(): Promise<ReactNode> {
  const petstore = setupPetstore({
    baseUrl: `${import.meta.env.BASE_URL}api`,
    keepState: true,
    worker: `${import.meta.env.BASE_URL}mockServiceWorker.js`,
  })
  let failNext = false
  let slow = false

  function addOverrides() {
    for (const operation of OPERATIONS) {
      petstore.override(operation, async ({ next }) => {
        const fails = failNext
        failNext = false
        if (slow) await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
        if (!fails) return next()
        const message = 'the service is not available; you asked for this failure'
        return { status: 503, body: { code: 'SERVICE_UNAVAILABLE', message, status: 503 } }
      })
    }
  }

  try {
    await petstore.start()
  } catch (error) {
    return <StartFailure reason={error instanceof Error ? error.message : String(error)} />
  }
  addOverrides()

  return (
    <MockControls
      onReset={() => {
        petstore.reset()
        // A reset also removes the overrides.
        addOverrides()
        failNext = false
        refreshAll()
      }}
      onFailNext={() => {
        failNext = true
      }}
      onSlow={(on) => {
        slow = on
      }}
    />
  )
}

function StartFailure({ reason }: { reason: string }) {
  return (
    <div role="alert" className="notice toast">
      <p>The mock did not start: {reason}</p>
    </div>
  )
}
