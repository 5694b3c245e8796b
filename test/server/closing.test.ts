import { expect, it } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { createPetstore } from '../../src/index.js'
import { openConnection } from '../support/raw-connection.js'

it('close() rejects with the errors that the code under test swallowed, after the server has closed', async () => {
  const server = await startServer({ port: 0 })
  server.petstore.override('getPet', () => {
    throw new RangeError('swallowed')
  })
  expect((await fetch(`${server.url}/pets/1`)).status).toBe(500)
  await expect(server.close()).rejects.toThrow('swallowed')
  await expect(openConnection(server.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

it('close() ends requests that wait for others', async () => {
  const server = await startServer({ port: 0 })
  const waiting = fetch(`${server.url}/__admin/journal?operation=createPet&waitMs=60000`)
  // Its response comes after the one to this later request.
  expect((await fetch(`${server.url}/__admin/health`)).status).toBe(200)
  const closed = server.close()
  expect(await (await waiting).json()).toMatchObject({ entries: [] })
  await closed
})

it('a request that waits for others ends when its client disconnects', async () => {
  const aborter = new AbortController()
  const headers = {}
  const request = { method: 'GET', path: '/__admin/journal', query: 'waitMs=60000', base: '', headers }
  const outcome = createPetstore().handle(request, { signal: aborter.signal })
  aborter.abort()
  // Nobody would read the response, so none is made.
  expect((await outcome).response.status).toBe(0)
})

it('an await using block closes the server', async () => {
  let port: number
  {
    await using server = await startServer({ port: 0 })
    port = server.port
    expect((await fetch(`${server.url}/pets/1`)).status).toBe(200)
  }
  await expect(openConnection(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
