import { toId } from '../../lib/int64.js'
import type { PetRecord } from '../records.js'
import type { QueryOf } from '../types.js'
import { findPet } from './find.js'
import { createList, hasStatus, nameContains } from './lists.js'
import type { Handler } from './operation.js'
import { rulesOf } from './rules.js'

const list = createList<PetRecord, 'categoryId', QueryOf<'listPets'>>({
  sortFields: {
    ids: { id: (pet) => pet.id, categoryId: (pet) => pet.categoryId },
    values: { name: (pet) => pet.name, status: (pet) => pet.status },
  },
  filter({ status, name, categoryId: category }) {
    const categoryId = category === undefined ? undefined : toId(category)
    return {
      linkParameters: { status: status && [...new Set(status)], categoryId, name },
      group: categoryId && { by: 'categoryId', value: categoryId },
      filters: [hasStatus(status), nameContains(name)],
    }
  },
})

export const listPets: Handler<'listPets'> = ({ store, query, base }) => list(store.pets, query, `${base}/pets`)

export const createPet: Handler<'createPet'> = ({ store, options, body, base }) => {
  const rules = rulesOf(options)
  const { name, status = 'available' } = body
  const categoryId = toId(body.categoryId)
  rules.requireCategory(store, categoryId)
  const pet = store.pets.insert({ name, categoryId, status, stock: status === 'sold' ? 0 : 1 })
  return { status: 201, body: pet, headers: { Location: `${base}/pets/${pet.id}` } }
}

export const getPet: Handler<'getPet'> = ({ store, path }) => {
  return { status: 200, body: findPet(store, path.petId) }
}

export const updatePet: Handler<'updatePet'> = ({ store, options, path, body }) => {
  const rules = rulesOf(options)
  const pet = findPet(store, path.petId)
  const categoryId = toId(body.categoryId)
  rules.requireCategory(store, categoryId)
  const moved = rules.changeStatus(pet, body.status ?? pet.status, store.orders.countIn('openPetId', pet.id))
  return { status: 200, body: store.pets.replace({ ...moved, name: body.name, categoryId }) }
}

export const deletePet: Handler<'deletePet'> = ({ store, options, path }) => {
  const rules = rulesOf(options)
  const pet = findPet(store, path.petId)
  rules.checkPetUnused(store, pet.id)
  store.pets.remove(pet.id)
  return { status: 204 }
}
