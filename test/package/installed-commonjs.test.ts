import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Installed, installPacked } from '../support/installed.js'
import { root } from '../support/packed.js'

let installed: Installed

beforeAll(async () => {
  installed = await installPacked()
})

describe('required without other packages', () => {
  // Newer versions of Node can require ES modules. Jest and others cannot.
  const STRICT = ['--no-experimental-require-module']
  const printed = async (source: string) => JSON.parse(await installed.runCommonJs(source, STRICT))

  it('responds in memory, with the same generated data as the source and when it is imported', async () => {
    const source = `
      const { createPetstore, MockError } = require('petstore-mock')
      const petstore = createPetstore({ seed: 7 })
      petstore.faults.add({ operation: 'getPet', kind: 'error', status: 503 })
      const list = await petstore.fetch('/pets?limit=1')
      const pet = await petstore.fetch('/pets/1')
      let error
      try {
        createPetstore({ sede: 7 })
      } catch (thrown) {
        error = [thrown instanceof MockError, thrown.name, thrown.code]
      }
      const operations = petstore.journal.entries().map(({ operation }) => operation)
      console.log(JSON.stringify([list.status, await list.text(), pet.status, operations, error]))`
    const { createPetstore } = await import('../../src/index.js')
    const pets = await (await createPetstore({ seed: 7 }).fetch('/pets?limit=1')).text()
    const error = [true, 'MockError', 'INVALID_OPTION']
    expect(await printed(source)).toEqual([200, pets, 503, ['listPets', 'getPet'], error])
    const imported = await installed.runScript(`
      import { createPetstore } from 'petstore-mock'
      console.log(await (await createPetstore({ seed: 7 }).fetch('/pets?limit=1')).text())`)
    expect(imported).toBe(pets)
  })

  it('serves the API, the admin API and the web pages, and has a client', async () => {
    const source = `
      const { connect, MockError } = require('petstore-mock/client')
      const { startServer } = require('petstore-mock/server')
      const server = await startServer({ port: 0 })
      const client = connect(server.url)
      await client.faults.add({ operation: 'listPets', status: 503 })
      const statuses = []
      for (const path of ['/pets', '/__admin/', '/__admin/assets/dashboard.js', '/docs']) {
        const response = await fetch(server.url + path)
        await response.arrayBuffer()
        statuses.push(response.status)
      }
      const [{ operation }] = await client.journal.entries()
      const error = await client.sandboxes.delete('none').catch((thrown) => [thrown instanceof MockError, thrown.code])
      await server.close()
      console.log(JSON.stringify([statuses, operation, error]))`
    expect(await printed(source)).toEqual([[503, 200, 200, 200], 'listPets', [true, 'SANDBOX_NOT_FOUND']])
  })

  it('forwards a sandbox, and loads next to nothing for it', async () => {
    const source = `
      const { statSync } = require('node:fs')
      const { forwardSandbox } = require('petstore-mock/ssr')
      const { headers } = forwardSandbox({ headers: { cookie: 'petstore-sandbox=a' } })
      const files = Object.keys(require.cache).filter((file) => file !== __filename)
      const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
      console.log(JSON.stringify([[...headers], bytes]))`
    const [headers, bytes] = await printed(source)
    expect(headers).toEqual([['x-petstore-sandbox', 'a']])
    expect(bytes).toBeLessThan(8192)
  })

  it('has one copy of the code for all entries, and loads only what it uses', async () => {
    const source = `
      const { readFileSync } = require('node:fs')
      const holders = (text) =>
        Object.keys(require.cache).filter((file) => file !== __filename && readFileSync(file, 'utf8').includes(text)).length
      const { createPetstore, MockError } = require('petstore-mock')
      await createPetstore().fetch('/pets')
      const faker = holders('@faker-js/faker')
      const mswBefore = holders('function setupServer')
      for (const name of ['node', 'server', 'client', 'assertions']) require('petstore-mock/' + name)
      const isSame = ['node', 'client'].map((name) => require('petstore-mock/' + name).MockError === MockError)
      console.log(JSON.stringify({ faker, mswBefore, msw: holders('function setupServer'), isSame }))`
    expect(await printed(source)).toEqual({ faker: 0, mswBefore: 0, msw: 1, isSame: [true, true] })
  })
})

describe('beside msw', () => {
  beforeAll(async () => {
    // The package of this project, so that nothing is downloaded.
    await symlink(join(root, 'node_modules/msw'), join(installed.folder, 'node_modules/msw'))
  })

  it('has handlers for the msw server of the project', async () => {
    const source = `
      const { setupServer } = require('msw/node')
      const { setupPetstore } = require('petstore-mock/node')
      const petstore = setupPetstore({ baseUrl: 'http://pets.test' })
      const server = setupServer(...petstore.handlers)
      server.listen()
      const { status } = await fetch('http://pets.test/pets/1')
      server.close()
      console.log(JSON.stringify([status, petstore.journal.total]))`
    expect(await installed.runCommonJs(source)).toBe('[200,1]')
  })

  const BOTH = `
    import { createRequire } from 'node:module'
    import * as imported from 'petstore-mock/node'
    const required = createRequire(import.meta.url)('petstore-mock/node')
    const url = 'http://pets.test/pets/1'`

  it.each([
    ['imported', 'required'],
    ['required', 'imported'],
  ])('shares the interception: %s first, then %s', async (first, second) => {
    const output = await installed.runScript(`${BOTH}
      const first = ${first}.setupPetstore({ baseUrl: 'http://pets.test' })
      const second = ${second}.setupPetstore({ baseUrl: 'http://pets.test' })
      const original = fetch
      first.listen()
      second.listen()
      const { message } = await fetch(url).catch((error) => error)
      const statusIn = (petstore) => petstore.run(async () => (await fetch(url)).status)
      const inScope = [await statusIn(first), await statusIn(second)]
      first.close()
      const { status } = await fetch(url)
      const totals = [first.journal.total, second.journal.total]
      let error
      try {
        second.close()
      } catch (thrown) {
        error = [thrown instanceof imported.MockError, thrown instanceof required.MockError, thrown.code]
      }
      console.log(JSON.stringify({ message, inScope, status, totals, error, isRestored: fetch === original }))`)
    expect(JSON.parse(output)).toEqual({
      message: expect.stringContaining('matches the base URL of 2 mocks that are listening'),
      inScope: [200, 200],
      status: 200,
      totals: [1, 2],
      error: [true, true, 'UNHANDLED_REQUEST'],
      isRestored: true,
    })
  })

  it('has assertions that know the headers of a mock of the other format', async () => {
    const output = await installed.runScript(`${BOTH}
      import { assertReceived } from 'petstore-mock/assertions'
      const petstore = required.setupPetstore()
      await petstore.fetch('/pets', { headers: { Authorization: 'Bearer abc' } })
      assertReceived(petstore, 'listPets', { headers: { authorization: 'Bearer abc' } })
      console.log('passed')`)
    expect(output).toBe('passed')
  })
})
