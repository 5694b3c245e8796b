import { type FormEvent, useState } from 'react'
import { ApiError, api, ask, type Order, type Pet } from '../api/client'
import { useFocusRescue } from '../focus'
import { ErrorNotice } from './feedback'

interface Props {
  pet: Pet
  onPlaced(quantity: number): void
  /** The service knows the stock better than this page does. */
  onRefused(): void
}

const UNAVAILABLE = {
  available: '',
  pending: 'All of them are spoken for right now. If an order is cancelled, they can be ordered again.',
  sold: 'They have found a home. Maybe someone else is waiting for you?',
}

export function OrderForm({ pet, onPlaced, onRefused }: Props) {
  const [result, setResult] = useState<Order | ApiError>()
  const unavailable = UNAVAILABLE[pet.status ?? 'available']

  async function place(quantity: number) {
    setResult(undefined)
    try {
      const order = await ask(api.POST('/store/orders', { body: { petId: pet.id, quantity } }))
      setResult(order)
      onPlaced(quantity)
    } catch (error) {
      setResult(ApiError.from(error))
      onRefused()
    }
  }

  return (
    <section className="order" aria-labelledby="order-heading">
      <h2 id="order-heading">Order</h2>
      {unavailable ? <p>{unavailable}</p> : <QuantityForm onSubmit={place} />}
      {result instanceof ApiError && <ErrorNotice error={result} />}
      <div role="status">
        {result && !(result instanceof ApiError) && (
          <p className="notice notice-good">
            <strong>Order {result.id} is placed:</strong> {result.quantity} × {pet.name}.{' '}
            <a href="#/orders">See all orders</a>
          </p>
        )}
      </div>
    </section>
  )
}

function QuantityForm({ onSubmit }: { onSubmit(quantity: number): Promise<void> }) {
  const [quantity, setQuantity] = useState('1')
  const [busy, setBusy] = useState(false)
  useFocusRescue()
  const step = (by: number) => setQuantity(String(Math.max(1, (Number(quantity) || 1) + by)))

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    await onSubmit(Number(quantity))
    setBusy(false)
  }

  return (
    <form className="order-form" onSubmit={submit}>
      <div className="field">
        <label htmlFor="quantity">Quantity</label>
        <div className="stepper">
          <button type="button" aria-label="One less" onClick={() => step(-1)}>
            −
          </button>
          <input
            id="quantity"
            type="number"
            min="1"
            step="1"
            required
            value={quantity}
            onChange={({ target }) => setQuantity(target.value)}
          />
          <button type="button" aria-label="One more" onClick={() => step(1)}>
            +
          </button>
        </div>
      </div>
      <button type="submit" className="button button-primary" aria-busy={busy}>
        Place order
      </button>
    </form>
  )
}
