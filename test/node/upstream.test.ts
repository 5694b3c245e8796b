import http from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { setupPetstore } from '../../src/adapters/node/index.js'
import { startServer } from '../../src/adapters/server/index.js'
import { shop } from '../support/client.js'

/** A real service, and a mock that intercepts the requests to its very address. */
async function start(options: Parameters<typeof setupPetstore>[0]) {
  const service = await startServer({ port: 0, fixtures: shop([{ id: 1, name: 'Real' }]) })
  onTestFinished(() => service.close())
  const petstore = setupPetstore({ baseUrl: service.url, upstream: service.url, ...options })
  await petstore.ready
  petstore.listen()
  onTestFinished(() => petstore.close())
  return { service, petstore }
}

it('passes nothing through unless it is told so', async () => {
  const { service, petstore } = await start({})
  const pet = await (await fetch(`${service.url}/pets/1`)).json()
  expect(pet.name).not.toBe('Real')
  expect(petstore.upstream?.passed).toEqual([])
  expect(service.petstore.journal.total).toBe(0)
})

it('passes through what is intercepted, without intercepting it again', async () => {
  const { service, petstore } = await start({ pass: ['getPet'] })
  expect((await (await fetch(`${service.url}/pets/1`)).json()).name).toBe('Real')
  const text = await new Promise<string>((resolve, reject) => {
    http
      .get(`${service.url}/pets/1`, (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => resolve(body))
      })
      .on('error', reject)
  })
  expect(JSON.parse(text).name).toBe('Real')
  petstore.faults.add({ operation: 'getPet', status: 503, times: 1 })
  expect((await fetch(`${service.url}/pets/1`)).status).toBe(503)
  petstore.upstream?.mock('getPet')
  expect((await (await fetch(`${service.url}/pets/1`)).json()).name).not.toBe('Real')
  expect(service.petstore.journal.total).toBe(2)
  expect(petstore.journal.entries().map(({ upstream }) => upstream?.outcome)).toEqual([
    'answered',
    'answered',
    undefined,
    undefined,
  ])
})
