import type { QueryOf } from '../../engine/contract/types.js'
import { toId } from '../../lib/int64.js'
import type { PetRecord } from '../records.js'
import { findPet } from './find.js'
import { createList, hasStatus, nameContains } from './lists.js'
import type { Handler } from './operation.js'

const list = createList<PetRecord, QueryOf<'listPets'>>({
  sortFields: {
    ids: { id: (pet) => pet.id, categoryId: (pet) => pet.categoryId },
    values: { name: (pet) => pet.name, status: (pet) => pet.status },
  },
  narrow({ status, name, categoryId: category }) {
    const categoryId = category === undefined ? undefined : toId(category)
    return {
      kept: { status: status && [...new Set(status)], categoryId, name },
      group: categoryId && { by: 'categoryId', value: categoryId },
      filters: [hasStatus(status), nameContains(name)],
    }
  },
})

export const listPets: Handler<'listPets'> = ({ world, query, base }) => {
  const { items, headers } = list(world.pets, query, `${base}/pets`)
  return { status: 200, body: items, headers }
}

export const createPet: Handler<'createPet'> = ({ world, rules, body, base }) => {
  const { name, status = 'available' } = body
  const categoryId = toId(body.categoryId)
  rules.requireCategory(world, categoryId)
  const pet = world.pets.insert({ name, categoryId, status, stock: status === 'sold' ? 0 : 1 })
  return { status: 201, body: pet, headers: { Location: `${base}/pets/${pet.id}` } }
}

export const getPet: Handler<'getPet'> = ({ world, path }) => {
  return { status: 200, body: findPet(world, path.petId) }
}

export const updatePet: Handler<'updatePet'> = ({ world, rules, path, body }) => {
  const pet = findPet(world, path.petId)
  const categoryId = toId(body.categoryId)
  rules.requireCategory(world, categoryId)
  const moved = rules.changeStatus(pet, body.status ?? pet.status, world.orders.countIn('openPetId', pet.id))
  return { status: 200, body: world.pets.replace({ ...moved, name: body.name, categoryId }) }
}

export const deletePet: Handler<'deletePet'> = ({ world, rules, path }) => {
  const pet = findPet(world, path.petId)
  rules.checkPetUnused(world, pet.id)
  world.pets.remove(pet.id)
  return { status: 204 }
}
