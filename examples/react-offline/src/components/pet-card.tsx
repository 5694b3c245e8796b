import type { Category, Pet } from '../api/client'
import { StatusBadge } from './feedback'
import { PetPicture } from './pet-picture'

export function PetCard({ pet, category }: { pet: Pet; category: Category | undefined }) {
  return (
    <li className="card">
      <PetPicture petId={pet.id} category={category?.name} />
      <div className="card-body">
        <h3>
          <a href={`#/pets/${pet.id}`}>{pet.name || 'No name yet'}</a>
        </h3>
        <p>{category?.name ?? '\u00a0'}</p>
        <StatusBadge status={pet.status} />
      </div>
    </li>
  )
}

export function PetCardSkeleton() {
  return (
    <li className="card skeleton" aria-hidden="true">
      <div className="picture" />
      <div className="card-body" />
    </li>
  )
}
