import { useState } from 'react'
import { api, ask, askPage, type Order, type Page } from '../api/client'
import { useLoad } from '../api/use-load'
import { EmptyState, ErrorNotice } from '../components/feedback'
import { OrderRow, type OrderWithPet } from '../components/order-row'
import { Pagination } from '../components/pagination'
import { pageOf, useTitle } from '../router'

const PAGE_SIZE = 10
const PLACES = [...Array(PAGE_SIZE).keys()]

const VIEWS = [
  { label: 'All', search: '', complete: undefined },
  { label: 'Open', search: 'show=open', complete: false },
  { label: 'Complete', search: 'show=complete', complete: true },
]

const viewOf = (search: string) => VIEWS.findLast((view) => search.includes(view.search)) ?? VIEWS[0]

async function loadOrders(search: string, signal: AbortSignal): Promise<Page<OrderWithPet>> {
  const complete = viewOf(search)?.complete
  const page = pageOf(search)
  const query = {
    ...(complete !== undefined && { complete }),
    sort: '-id' as const,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  }
  const [orders, categories] = await Promise.all([
    askPage(api.GET('/store/orders', { params: { query }, signal }), { page, size: PAGE_SIZE }),
    ask(api.GET('/categories', { params: { query: { limit: 100 } }, signal })),
  ])
  const petIds = new Set(orders.items.flatMap(({ petId }) => petId ?? []))
  // Complete orders stay when their pet is deleted: such an order has no name to show.
  const pets = await Promise.allSettled(
    [...petIds].map((petId) => ask(api.GET('/pets/{petId}', { params: { path: { petId } }, signal }))),
  )
  const found = pets.flatMap((pet) => (pet.status === 'fulfilled' ? pet.value : []))
  const items = orders.items.map((order) => {
    const pet = found.find(({ id }) => id === order.petId)
    return { order, pet, category: categories.find(({ id }) => id === pet?.categoryId) }
  })
  return { ...orders, items }
}

export function OrdersPage({ search }: { search: string }) {
  const { data, error, loading, reload, show } = useLoad(loadOrders, search)
  const [said, setSaid] = useState({ search, message: '' })
  const view = viewOf(search)
  useTitle('Orders')

  return (
    <section aria-busy={loading}>
      <div className="intro">
        <h1 id="results" tabIndex={-1}>
          Orders
        </h1>
        <p>An open order holds its pets. Complete it to ship them, or cancel it to put them back in stock.</p>
      </div>
      <div className="results-bar">
        <nav className="links" aria-label="Which orders">
          {VIEWS.map(({ label, search }) => (
            <a
              key={label}
              href={search ? `#/orders?${search}` : '#/orders'}
              aria-current={label === view?.label ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
        <p role="status">
          {said.search === search && said.message && <strong>{said.message} </strong>}
          {data && !error && (data.total === 1 ? '1 order' : `${data.total} orders`)}
        </p>
      </div>
      {error && <ErrorNotice error={error} onRetry={reload} />}
      {!error && data?.total === 0 && (
        <EmptyState title="No orders here">
          <p>Whatever you order shows up on this page.</p>
          <a className="button button-primary" href="#/">
            Find a pet
          </a>
        </EmptyState>
      )}
      {!error && (
        <ul className="orders">
          {data?.items.map((item) => (
            <OrderRow
              key={item.order.id}
              {...item}
              onChanged={(message, order) => {
                setSaid({ search, message })
                show({ ...data, items: replaced(data.items, item, order) })
                reload()
              }}
            />
          )) ?? PLACES.map((place) => <li key={place} className="order-row skeleton" aria-hidden="true" />)}
        </ul>
      )}
      {data && !error && <Pagination {...data} />}
    </section>
  )
}

function replaced(items: OrderWithPet[], item: OrderWithPet, order: Order | undefined): OrderWithPet[] {
  return items.flatMap((other) => (other !== item ? other : order ? { ...item, order } : []))
}
