import http from 'node:http'
import { expect, it, vi } from 'vitest'
import { setupPetstore } from '../../src/adapters/node/index.js'

const listening = vi.hoisted(() => ({ fails: false }))

vi.mock('msw/node', async (importOriginal) => {
  const original = await importOriginal<typeof import('msw/node')>()
  return {
    ...original,
    setupServer(...handlers: Parameters<typeof original.setupServer>) {
      const server = original.setupServer(...handlers)
      const listen = server.listen.bind(server)
      return Object.assign(server, {
        listen(options: Parameters<typeof listen>[0]) {
          listen(options)
          if (listening.fails) throw new Error('cannot be patched')
        },
      })
    },
  }
})

const DISPATCHER = Symbol.for('undici.globalDispatcher.1')
const globals = globalThis as Record<PropertyKey, unknown>
const patched = () => ({ fetch: globals.fetch, dispatcher: globals[DISPATCHER], request: http.request })

it('leaves nothing intercepted when listen fails, and can be called again', async () => {
  const before = patched()
  const petstore = setupPetstore({ baseUrl: 'http://pets.test' })
  listening.fails = true
  expect(() => petstore.listen()).toThrow('cannot be patched')
  expect(patched()).toEqual(before)

  listening.fails = false
  petstore.listen()
  expect((await fetch('http://pets.test/pets/1')).status).toBe(200)
  petstore.close()
  expect(patched()).toEqual(before)
})

it('does not place the order of a node:http request that was destroyed while the data was being generated', async () => {
  const petstore = setupPetstore({ baseUrl: 'http://pets.test', seed: 7, pets: 2000 })
  petstore.listen()
  const request = http.request('http://pets.test/store/orders', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
  })
  const closed = new Promise((resolve) => request.once('close', resolve))
  request.on('error', () => {})
  request.end('{"petId":1}')
  request.destroy()
  await closed
  await petstore.ready
  const orders = petstore.data.orders.all().length
  expect((await fetch('http://pets.test/pets/1')).status).toBe(200)
  expect(petstore.data.orders.all()).toHaveLength(orders)
  expect(petstore.journal.entries({ operation: 'createOrder' })).toEqual([])
  petstore.close()
})
