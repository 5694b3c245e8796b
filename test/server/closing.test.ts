import { expect, it } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'

it('close() rejects with the errors that the code under test swallowed, after the server has closed', async () => {
  const server = await startServer({ port: 0 })
  server.petstore.override('getPet', () => {
    throw new RangeError('swallowed')
  })
  expect((await fetch(`${server.url}/pets/1`)).status).toBe(500)
  await expect(server.close()).rejects.toThrow('swallowed')
  await expect(fetch(`${server.url}/pets/1`)).rejects.toThrow('fetch failed')
})

it('an await using block closes the server', async () => {
  let url: string
  {
    await using server = await startServer({ port: 0 })
    url = server.url
    expect((await fetch(`${url}/pets/1`)).status).toBe(200)
  }
  await expect(fetch(`${url}/pets/1`)).rejects.toThrow('fetch failed')
})
