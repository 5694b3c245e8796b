import { useState } from 'react'
import { ApiError, api, ask, type Category, type Order, type Pet } from '../api/client'
import { useFocusRescue } from '../focus'
import { ErrorNotice } from './feedback'
import { PetPicture } from './pet-picture'

export interface OrderWithPet {
  order: Order
  pet?: Pet
  category?: Category
}

interface Props extends OrderWithPet {
  /** Reports what happened in a sentence, with the remaining order. */
  onChanged(message: string, order?: Order): void
}

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

export function OrderRow({ order, pet, category, onChanged }: Props) {
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)

  async function act(call: () => Promise<Order | undefined>, message: string) {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      onChanged(message, await call())
    } catch (error) {
      setError(ApiError.from(error))
    }
    setBusy(false)
  }

  const params = { path: { orderId: order.id ?? 0 } }
  const complete = () => ask(api.PATCH('/store/orders/{orderId}', { params, body: { complete: true } }))
  const cancel = () => ask(api.DELETE('/store/orders/{orderId}', { params }))

  return (
    <li className="order-row" aria-busy={busy}>
      <PetPicture petId={pet?.id ?? 0} category={category?.name} />
      <div className="order-what">
        <h2>Order {order.id}</h2>
        <p>
          {order.quantity ?? 1} ×{' '}
          {pet ? <a href={`#/pets/${pet.id}`}>{pet.name || 'No name yet'}</a> : petWithoutName(order)}
        </p>
      </div>
      <p className="order-when">{whenOf(order)}</p>
      <span className={`badge badge-${order.complete ? 'complete' : 'open'}`}>
        {order.complete ? 'Complete' : 'Open'}
      </span>
      {!order.complete && (
        <Actions
          id={order.id}
          onComplete={() => act(complete, `Order ${order.id} is complete.`)}
          onCancel={() => act(cancel, `Order ${order.id} is cancelled.`)}
        />
      )}
      {error && <ErrorNotice error={error} />}
    </li>
  )
}

function Actions({ id, onComplete, onCancel }: { id: number | undefined; onComplete(): void; onCancel(): void }) {
  useFocusRescue()
  return (
    <div className="order-actions">
      <button type="button" className="button" aria-label={`Complete order ${id}`} onClick={onComplete}>
        Complete
      </button>
      <button type="button" className="button button-quiet" aria-label={`Cancel order ${id}`} onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}

const petWithoutName = ({ petId }: Order) => (petId === undefined ? 'no pet' : `pet ${petId}`)

function whenOf({ shipDate, complete }: Order): string {
  if (!shipDate) return 'No ship date yet'
  return `${complete ? 'Shipped' : 'Ships'} ${dates.format(new Date(shipDate))}`
}
