import type { PetStatus } from '../api/client'
import { pageOf } from '../router'

export const STATUSES: readonly PetStatus[] = ['available', 'pending', 'sold']

export const SORTS = {
  '-id': 'Newest first',
  id: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  status: 'Available first',
} as const

/** The filters of the pet list, from the URL. Invalid values are ignored. */
export function readFilter(search: string) {
  const query = new URLSearchParams(search)
  const sort = query.get('sort') ?? ''
  const category = query.get('category') ?? ''
  return {
    name: query.get('name') ?? '',
    category: /^[1-9]\d{0,14}$/.test(category) ? category : '',
    sort: (Object.hasOwn(SORTS, sort) ? sort : '-id') as keyof typeof SORTS,
    status: STATUSES.filter((status) => query.getAll('status').includes(status)),
    page: pageOf(search),
  }
}

export type Filter = ReturnType<typeof readFilter>
