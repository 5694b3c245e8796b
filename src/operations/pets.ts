import { toId } from '../contract/int64.js'
import type { PetRecord } from '../model/records.js'
import { findPet } from './find.js'
import { hasStatus, listPage, nameContains, type SortFields } from './lists.js'
import type { Handler } from './operation.js'

const SORT_FIELDS: SortFields<PetRecord> = {
  ids: { id: (pet) => pet.id, categoryId: (pet) => pet.categoryId },
  values: { name: (pet) => pet.name, status: (pet) => pet.status },
}

export const listPets: Handler<'listPets'> = ({ world, query, base }) => {
  const { status, name } = query
  const categoryId = query.categoryId === undefined ? undefined : toId(query.categoryId)
  const { items, headers } = listPage({
    collection: world.pets,
    path: `${base}/pets`,
    query,
    kept: { status: status && [...new Set(status)], categoryId, name },
    group: categoryId && { by: 'categoryId', value: categoryId },
    filters: [hasStatus(status), nameContains(name)],
    sortFields: SORT_FIELDS,
  })
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
