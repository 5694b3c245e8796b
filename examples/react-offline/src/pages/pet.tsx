import { api, ask, type Category, type InventoryItem, type Pet } from '../api/client'
import { useLoad } from '../api/use-load'
import { ErrorNotice, StatusBadge } from '../components/feedback'
import { OrderForm } from '../components/order-form'
import { PetPicture } from '../components/pet-picture'
import { linkToList, useTitle } from '../router'
import { NotFoundPage } from './not-found'

interface Details {
  pet: Pet
  category: Category
  stock: InventoryItem
}

async function loadDetails(petId: string, signal: AbortSignal): Promise<Details> {
  const init = { params: { path: { petId: Number(petId) } }, signal }
  const [pet, stock] = await Promise.all([
    // Deprecated, but its document names no successor; it works until the end of 2030.
    ask(api.GET('/pets/{petId}', init)),
    ask(api.GET('/store/inventory/{petId}', init)),
  ])
  const path = { categoryId: pet.categoryId }
  return { pet, stock, category: await ask(api.GET('/categories/{categoryId}', { params: { path }, signal })) }
}

export function PetPage({ petId }: { petId: string }) {
  const { data, error, loading, reload, show } = useLoad(loadDetails, petId)
  useTitle(data?.pet.name ?? 'Pet')

  if (error?.status === 404) {
    return <NotFoundPage title="We do not know this pet">{`There is no pet with the number ${petId}.`}</NotFoundPage>
  }
  return (
    <article aria-busy={loading}>
      <a className="back" href={linkToList()}>
        All pets
      </a>
      {error && <ErrorNotice error={error} onRetry={reload} />}
      <div className="pet">
        {data ? <PetPicture petId={data.pet.id} category={data.category.name} /> : <div className="picture skeleton" />}
        <div className="pet-details">
          <h1 tabIndex={-1}>{data ? data.pet.name || 'No name yet' : error ? `Pet ${petId}` : 'One moment…'}</h1>
          {data && (
            <>
              <p className="pet-category">
                <strong>{data.category.name}</strong> {data.category.description}
              </p>
              <dl className="facts">
                <div>
                  <dt>Status</dt>
                  <dd>
                    <StatusBadge status={data.pet.status} />
                  </dd>
                </div>
                <div>
                  <dt>In stock</dt>
                  <dd>{data.stock.quantity}</dd>
                </div>
                <div>
                  <dt>Pet number</dt>
                  <dd>{data.pet.id}</dd>
                </div>
              </dl>
              <OrderForm
                pet={data.pet}
                onPlaced={(quantity) => {
                  show({ ...data, stock: { ...data.stock, quantity: data.stock.quantity - quantity } })
                  reload()
                }}
                onRefused={reload}
              />
            </>
          )}
        </div>
      </div>
    </article>
  )
}
