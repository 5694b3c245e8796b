import { it } from 'vitest'
import type { FixtureOrder } from '../../src/index.js'
import { describeAdapters } from '../support/adapters.js'
import { expectRejected, expectResponse, expectStock, openClient, shop } from '../support/client.js'

const ORDER: FixtureOrder = { id: 1, petId: 1, quantity: 2, complete: false }
const OUT_OF_STOCK = { id: 1, status: 'pending', stock: 0 } as const

describeAdapters('changing an open order', (adapter) => {
  it('moves its units from one pet to another', async () => {
    const api = await openClient(adapter, { fixtures: shop([OUT_OF_STOCK, { id: 2, stock: 5 }], [ORDER]) })
    expectResponse(await api.patch('/store/orders/1', { petId: 2 }), 200, { ...ORDER, petId: 2 })
    await expectStock(api, 1, 2, 'available')
    await expectStock(api, 2, 3, 'available')
    expectResponse(await api.get('/store/orders'), 200, [{ ...ORDER, petId: 2 }])
  })

  it('can take the last units of another pet, which becomes pending', async () => {
    const api = await openClient(adapter, { fixtures: shop([OUT_OF_STOCK, { id: 2, stock: 3 }], [ORDER]) })
    expectResponse(await api.patch('/store/orders/1', { petId: 2, quantity: 3 }), 200, {
      ...ORDER,
      petId: 2,
      quantity: 3,
    })
    await expectStock(api, 1, 2, 'available')
    await expectStock(api, 2, 0, 'pending')
  })

  it.each([
    ['more units than the pet has left', { petId: 2, quantity: 4 }, 409, 'INSUFFICIENT_STOCK'],
    ['a sold pet', { petId: 3 }, 409, 'PET_NOT_AVAILABLE'],
    ['a pending pet', { petId: 4 }, 409, 'PET_NOT_AVAILABLE'],
    ['an unknown pet', { petId: 99 }, 422, 'UNKNOWN_PET'],
    ['a quantity of 0', { petId: 2, quantity: 0 }, 422, 'INVALID_QUANTITY'],
  ])('changes nothing if it requests %s', async (_, body, status, code) => {
    const pets = [OUT_OF_STOCK, { id: 2, stock: 3 }, { id: 3, status: 'sold' }, { id: 4, status: 'pending' }] as const
    const api = await openClient(adapter, { fixtures: shop(pets, [ORDER]) })
    const everything = { ...body, shipDate: '2026-01-01T00:00:00Z', complete: true }
    await expectRejected(api, () => api.patch('/store/orders/1', body), status, code)
    await expectRejected(api, () => api.patch('/store/orders/1', everything), status, code)
  })

  it.each([
    [1, 3, 'available'],
    [2, 2, 'available'],
    [3, 1, 'available'],
    [4, 0, 'pending'],
  ])('counts its own units as available when the quantity becomes %i', async (quantity, stock, status) => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, stock: 2 }], [ORDER]) })
    expectResponse(await api.patch('/store/orders/1', { quantity }), 200, { ...ORDER, quantity })
    await expectStock(api, 1, stock, status)
  })

  it('rejects a quantity above its own units plus the stock', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, stock: 2 }], [ORDER]) })
    const patch = () => api.patch('/store/orders/1', { quantity: 5 })
    await expectRejected(api, patch, 409, 'INSUFFICIENT_STOCK', /quantity.*5/)
  })

  it('returns units to a pet that is out of stock, which becomes available', async () => {
    const api = await openClient(adapter, { fixtures: shop([OUT_OF_STOCK], [ORDER]) })
    expectResponse(await api.patch('/store/orders/1', { quantity: 1 }), 200, { ...ORDER, quantity: 1 })
    await expectStock(api, 1, 1, 'available')
  })

  it('can assign a pet to an order without one', async () => {
    const withoutPet = { id: 1, quantity: 2, complete: false }
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, stock: 2 }], [withoutPet]) })
    expectResponse(await api.patch('/store/orders/1', { quantity: 3 }), 200, { ...withoutPet, quantity: 3 })
    await expectRejected(api, () => api.patch('/store/orders/1', { petId: 1 }), 409, 'INSUFFICIENT_STOCK')
    expectResponse(await api.patch('/store/orders/1', { petId: 1, quantity: 2 }), 200, ORDER)
    await expectStock(api, 1, 0, 'pending')
  })

  it('can move and complete it in one step', async () => {
    const api = await openClient(adapter, { fixtures: shop([OUT_OF_STOCK, { id: 2, stock: 2 }], [ORDER]) })
    const done = { petId: 2, complete: true, shipDate: '2026-01-01T00:00:00.000Z' }
    expectResponse(await api.patch('/store/orders/1', done), 200, { ...ORDER, ...done })
    await expectStock(api, 1, 2, 'available')
    await expectStock(api, 2, 0, 'sold')
  })

  it('can change its quantity and complete it in one step', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, stock: 2 }], [ORDER]) })
    const done = { quantity: 4, complete: true, shipDate: '2026-01-01T00:00:00.000Z' }
    expectResponse(await api.patch('/store/orders/1', done), 200, { ...ORDER, ...done })
    await expectStock(api, 1, 0, 'sold')
  })

  it('allows deleting the pet it moved from, and not the one it moved to', async () => {
    const api = await openClient(adapter, { fixtures: shop([OUT_OF_STOCK, { id: 2, stock: 5 }], [ORDER]) })
    await api.patch('/store/orders/1', { petId: 2 })
    await expectRejected(api, () => api.delete('/pets/2'), 409, 'PET_IN_USE')
    expectResponse(await api.delete('/pets/1'), 204)
  })

  it('changes no stock if only the ship date changes', async () => {
    const api = await openClient(adapter, { fixtures: shop([OUT_OF_STOCK], [ORDER]) })
    const shipDate = '2026-01-01T00:00:00.000Z'
    expectResponse(await api.patch('/store/orders/1', { shipDate, quantity: 2 }), 200, { ...ORDER, shipDate })
    await expectStock(api, 1, 0, 'pending')
  })
})
