import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { type PetstoreServer, startServer } from '../../src/adapters/server/index.js'
import { createPetstore } from '../../src/petstore/service.js'

/** So many that work on all of them takes many slices. */
const PETS = 4000

async function start(): Promise<PetstoreServer> {
  const server = await startServer({ port: 0, seed: 5, pets: PETS })
  onTestFinished(() => server.close())
  return server
}

/** Sends requests on one open connection until the work has ended. Returns the names of pet 1 that they received. */
async function readWhile({ port }: PetstoreServer, work: Promise<unknown>): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const names: string[] = []
  const ports = new Set<number | undefined>()
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const sent = get({ port, host: '127.0.0.1', path: '/pets/1', agent })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    ports.add(response.socket.localPort)
    const { name } = JSON.parse(String(await buffer(response))) as { name: string }
    if (!isDone) names.push(name)
  }
  await work
  // Not `reusedSocket`, which is false for a request that had to wait for its turn on the connection.
  expect(ports.size).toBe(1)
  return names
}

/** Expects the old name in several responses. The new one may follow, in a response that overtakes that of the work. */
function expectReplacedAtEnd(names: readonly string[], oldName: string | undefined, newName: string | undefined): void {
  const oldNames = names.slice(0, names.lastIndexOf(oldName ?? '') + 1)
  expect(oldNames.length).toBeGreaterThan(3)
  expect(new Set(oldNames)).toEqual(new Set([oldName]))
  for (const name of names.slice(oldNames.length)) expect(name).toBe(newName)
}

const sendJson = (url: string, method: string, body: string) =>
  fetch(url, { method, body, headers: { 'Content-Type': 'application/json' } })

it('responds to other clients while a reset generates data, from the old data', async () => {
  const server = await start()
  const { name } = server.petstore.data.pets.update(1, { name: 'Old' })
  const names = await readWhile(server, sendJson(`${server.url}/__admin/reset`, 'POST', '{"seed":7}'))
  const newName = server.petstore.data.pets.find(1)?.name
  expect(newName).not.toBe(name)
  expectReplacedAtEnd(names, name, newName)
})

it('responds to other clients while a state is imported, from the old data', async () => {
  const server = await start()
  const source = createPetstore({ seed: 6, pets: PETS })
  await source.ready
  source.data.pets.update(1, { name: 'New' })
  const old = server.petstore.data.pets.find(1)?.name
  const state = JSON.stringify(source.exportState())
  const names = await readWhile(server, sendJson(`${server.url}/__admin/state`, 'PUT', state))
  expect(server.petstore.data.pets.find(1)?.name).toBe('New')
  expectReplacedAtEnd(names, old, 'New')
})

it('sends a large state to a client that reads slowly, with its length', async () => {
  const { port, petstore } = await start()
  const [response] = (await once(get({ port, host: '127.0.0.1', path: '/__admin/state' }), 'response')) as [
    IncomingMessage,
  ]
  const chunks: Buffer[] = []
  for await (const chunk of response) {
    chunks.push(chunk)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const body = Buffer.concat(chunks)
  expect(response.headers['content-length']).toBe(String(body.length))
  expect(JSON.parse(String(body))).toEqual(petstore.exportState())
})
