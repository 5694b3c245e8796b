import { useEffect } from 'react'
import { api, ask, askPage, type Category, type Page, type Pet } from '../api/client'
import { type Loaded, useLoad } from '../api/use-load'
import { EmptyState, ErrorNotice } from '../components/feedback'
import { readFilter } from '../components/filter'
import { Filters } from '../components/filters'
import { Pagination } from '../components/pagination'
import { PetCard, PetCardSkeleton } from '../components/pet-card'
import { PetPicture } from '../components/pet-picture'
import { rememberList, useTitle } from '../router'

const PAGE_SIZE = 12
const PLACES = [...Array(PAGE_SIZE).keys()]

function loadPets(search: string, signal: AbortSignal): Promise<Page<Pet>> {
  const { name, category, sort, status, page } = readFilter(search)
  const query = {
    ...(name && { name }),
    ...(category && { categoryId: Number(category) }),
    ...(status.length > 0 && { status }),
    sort,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  }
  return askPage(api.GET('/pets', { params: { query }, signal }), { page, size: PAGE_SIZE })
}

function loadCategories(_key: string, signal: AbortSignal): Promise<Category[]> {
  return ask(api.GET('/categories', { params: { query: { limit: 100, sort: 'name' } }, signal }))
}

export function BrowsePage({ search }: { search: string }) {
  const filter = readFilter(search)
  const pets = useLoad(loadPets, search)
  const categories = useLoad(loadCategories, '')
  useEffect(() => rememberList(search), [search])
  useTitle('Pets')

  return (
    <>
      <div className="hero">
        <div className="intro">
          <h1 tabIndex={-1}>Find a new friend</h1>
          <p>Some are quick, some are quiet, and all of them are good company.</p>
        </div>
        <div className="parade">
          {['Dogs', 'Rabbits', 'Frogs', 'Cats'].map((category) => (
            <PetPicture key={category} petId={0} category={category} />
          ))}
        </div>
      </div>
      <Filters filter={filter} categories={categories.data ?? []} />
      <section aria-labelledby="results" aria-busy={pets.loading || categories.loading}>
        <div className="results-bar">
          <h2 id="results" tabIndex={-1}>
            Pets
          </h2>
          <p role="status">{pets.error ? '' : countOf(pets.data)}</p>
        </div>
        <Results pets={pets} categories={categories} />
      </section>
    </>
  )
}

interface ResultsProps {
  pets: Loaded<Page<Pet>>
  categories: Loaded<Category[]>
}

function Results({ pets, categories }: ResultsProps) {
  const failed = [pets, categories].filter(({ error }) => error)
  const error = failed[0]?.error
  if (error) return <ErrorNotice error={error} onRetry={() => failed.map(({ reload }) => reload())} />
  if (pets.data?.total === 0) {
    return (
      <EmptyState title="Nobody fits that description">
        <p>Try another name, or look at all of them.</p>
        <a className="button button-primary" href="#/">
          Clear all filters
        </a>
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="grid">
        {pets.data?.items.map((pet) => (
          <PetCard key={pet.id} pet={pet} category={categories.data?.find(({ id }) => id === pet.categoryId)} />
        )) ?? PLACES.map((place) => <PetCardSkeleton key={place} />)}
      </ul>
      {pets.data && <Pagination {...pets.data} />}
    </>
  )
}

function countOf(pets: Page<Pet> | undefined): string {
  if (!pets) return 'Loading…'
  if (pets.items.length === 0) return 'No pets'
  const before = (pets.page - 1) * pets.size
  return `${before + 1} to ${before + pets.items.length} of ${pets.total}`
}
