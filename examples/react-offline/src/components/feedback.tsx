import type { ReactNode } from 'react'
import type { ApiError, PetStatus } from '../api/client'
import { useFocusRescue } from '../focus'
import { PawMark } from './paw-mark'

const FRIENDLY: Record<string, string> = {
  INSUFFICIENT_STOCK: 'We do not have that many.',
  PET_NOT_AVAILABLE: 'This pet cannot be ordered any more.',
  INVALID_QUANTITY: 'That is not a quantity we can sell.',
  ORDER_COMPLETE: 'This order is complete already.',
  ORDER_NOT_FOUND: 'This order does not exist any more.',
  SERVICE_UNAVAILABLE: 'The store is taking a short break.',
  NO_ANSWER: 'The store cannot be reached.',
}

/** An error in our own words, followed by the message of the service. */
export function ErrorNotice({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  useFocusRescue()
  return (
    <div role="alert" className="notice">
      <p>
        <strong>{FRIENDLY[error.code] ?? 'That did not work.'}</strong> The store says: {error.message}.
      </p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  useFocusRescue()
  return (
    <div className="empty">
      <PawMark />
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export const STATUS_LABELS: Record<PetStatus, string> = { available: 'Available', pending: 'Pending', sold: 'Sold' }

export function StatusBadge({ status = 'available' }: { status?: PetStatus }) {
  return <span className={`badge badge-${status}`}>{STATUS_LABELS[status]}</span>
}
