import { PetPicture } from '../components/pet-picture'
import { useTitle } from '../router'

interface Props {
  title?: string
  children?: string
}

export function NotFoundPage({ title = 'This page has wandered off', children }: Props) {
  useTitle('Not found')
  return (
    <div className="not-found">
      <PetPicture petId={1} category="Cats" />
      <h1 tabIndex={-1}>{title}</h1>
      <p>{children ?? 'There is nothing at this address. Maybe it is chasing its tail somewhere else.'}</p>
      <a className="button button-primary" href="#/">
        See all pets
      </a>
    </div>
  )
}
