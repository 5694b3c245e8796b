import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPrograms } from '../support/examples-needs.js'
import { startInExample } from '../support/examples-process.js'
import { useWorkshop, WARNINGS } from '../support/examples-project.js'
import {
  findNewcomers,
  listSandboxes,
  moveIn,
  type ScaledOut,
  send,
  startScaledOut,
} from '../support/examples-scale-out.js'
import { INSTALL_TIMEOUT_MS } from '../support/packed.js'

const NAMES = Array.from({ length: 24 }, (_, index) => `team-${index}`).sort()

const workshop = useWorkshop()
const canRun = hasPrograms('scale-out', ['nginx'], 'CI_NGINX')

describe.skipIf(!canRun)('the example with several servers behind nginx', () => {
  let project: string
  let running: ScaledOut

  beforeAll(async () => {
    project = await workshop.installExample('scale-out')
    running = await startScaledOut(project)
  }, INSTALL_TIMEOUT_MS)

  afterAll(() => running?.end())

  const newcomers = () => Promise.all(NAMES.map((name) => findNewcomers(running.url, name)))

  /** A server that has some but not all of the sandboxes, and their names. */
  async function chooseServer() {
    const homes = await Promise.all(
      running.servers.map(async (server) => {
        const names = await listSandboxes(server)
        return { server, names: names.filter((name) => NAMES.includes(name)) }
      }),
    )
    const chosen = homes.find(({ names }) => names.length > 0 && names.length < NAMES.length)
    return chosen ?? expect.fail(`no server has only some of the sandboxes: ${JSON.stringify(homes)}`)
  }

  it('distributes sandboxes over the servers, and each has only its own data', async () => {
    await Promise.all(NAMES.map((name) => moveIn(running.url, name)))

    expect(await newcomers()).toEqual(NAMES.map((name) => [name]))
    const homes = await Promise.all(running.servers.map(listSandboxes))
    // Each is on one server, and no server has them all.
    expect(homes.flat().sort()).toEqual(NAMES)
    expect(homes.filter((names) => names.length > 0).length).toBeGreaterThan(1)
  })

  it('sends requests without a sandbox to one server', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => fetch(`${running.url}/pets?limit=1`)))

    expect(new Set(answers.map(({ headers }) => headers.get('X-Petstore-Server'))).size).toBe(1)
  })

  it('passes on faults unchanged', async () => {
    const url = `${running.url}/sandbox/faulty`
    await send(`${url}/__admin/faults`, 'POST', { operation: 'listPets', kind: 'reset' })
    for (const _ of NAMES) await expect(fetch(`${url}/pets`)).rejects.toThrow('fetch failed')
    const asked = await fetch(`${url}/categories`, { headers: { Prefer: 'code=502' } })
    expect(await asked.json()).toMatchObject({ code: 'BAD_GATEWAY', status: 502 })

    const homes = await Promise.all(running.servers.map(listSandboxes))
    expect(homes.flat().filter((name) => name === 'faulty')).toHaveLength(1)
    expect(await newcomers()).toEqual(NAMES.map((name) => [name]))
  })

  it('passes on events immediately', async () => {
    const leaving = new AbortController()
    const stream = await fetch(`${running.url}/sandbox/watched/__admin/events`, { signal: leaving.signal })
    await fetch(`${running.url}/sandbox/watched/pets`)
    let heard = ''
    for await (const bytes of stream.body as unknown as AsyncIterable<Uint8Array>) {
      heard += new TextDecoder().decode(bytes)
      if (heard.includes('listPets')) break
    }
    leaving.abort()
    expect(heard).toMatch(/event: request/)
  })

  it('leaves access control to the servers', async () => {
    const page = { Origin: 'https://stranger.example' }
    expect((await send(`${running.url}/__admin/reset`, 'POST', undefined, page)).status).toBe(403)
    const own = { Origin: running.url }
    expect((await send(`${running.url}/sandbox/own/__admin/reset`, 'POST', undefined, own)).status).toBe(204)
  })

  it('recreates only the sandboxes of a stopped server', async () => {
    const { server, names: lost } = await chooseServer()
    const expected = NAMES.map((name) => (lost.includes(name) ? [] : [name]))

    process.kill(server.pid, 'SIGTERM')
    await running.printed(/has ended: its sandboxes start afresh/)

    expect(await newcomers()).toEqual(expected)
    // They are created again on the remaining servers.
    await Promise.all(lost.map((name) => moveIn(running.url, name)))
    expect(await newcomers()).toEqual(NAMES.map((name) => [name]))

    const port = new URL(server.url).port
    const again = startInExample(project, 'node_modules/.bin/petstore-mock', ['--port', port])
    try {
      await again.printed(/is ready/)
      expect(await newcomers()).toEqual(expected)
    } finally {
      await again.end()
    }
  })

  it('prints no warnings', () => {
    expect(running.output()).not.toMatch(WARNINGS)
    expect(running.output()).not.toMatch(/nginx|emerg|error/)
  })
})
