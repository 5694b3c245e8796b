import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningExample, setUpExample, startInExample, WARNINGS } from '../support/examples.js'
import { hasPrograms } from '../support/programs.js'

const NAMES = Array.from({ length: 24 }, (_, index) => `team-${index}`).sort()

const canRun = hasPrograms(['nginx'], 'CI_NGINX')

describe.skipIf(!canRun)('the example with several servers behind nginx', () => {
  let project: string
  let running: ScaledOut

  beforeAll(async () => {
    project = await setUpExample('scale-out')
    running = await startScaledOut(project)
  })

  afterAll(() => running?.end())

  const createdPets = () => Promise.all(NAMES.map((name) => findCreatedPets(running.url, name)))

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
    await Promise.all(NAMES.map((name) => createPet(running.url, name)))

    expect(await createdPets()).toEqual(NAMES.map((name) => [name]))
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
    expect(await createdPets()).toEqual(NAMES.map((name) => [name]))
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

    expect(await createdPets()).toEqual(expected)
    // They are created again on the remaining servers.
    await Promise.all(lost.map((name) => createPet(running.url, name)))
    expect(await createdPets()).toEqual(NAMES.map((name) => [name]))

    const port = new URL(server.url).port
    const again = startInExample(project, 'node_modules/.bin/petstore-mock', ['--port', port])
    try {
      await again.printed(/is ready/)
      expect(await createdPets()).toEqual(expected)
    } finally {
      await again.end()
    }
  })

  it('prints no warnings', () => {
    expect(running.output()).not.toMatch(WARNINGS)
    expect(running.output()).not.toMatch(/nginx|emerg|error/)
  })
})

interface ScaledOut extends RunningExample {
  /** The address of the proxy. */
  readonly url: string
  readonly servers: readonly Server[]
}

interface Server {
  readonly url: string
  readonly pid: number
}

async function startScaledOut(project: string): Promise<ScaledOut> {
  const running = startInExample(project, process.execPath, ['start.mjs', '--port', '0', '--servers', '3'])
  const [text] = await running.printed(/Ready: .*\n(?:.*\(process \d+\)\n){3}/).catch(async (error) => {
    await running.end()
    throw error
  })
  const [, url = ''] = /Ready: (\S+)/.exec(text) ?? []
  const servers = [...text.matchAll(/(http:\S+) \(process (\d+)\)/g)].map(([, address = '', pid]) => ({
    url: address,
    pid: Number(pid),
  }))
  return { ...running, url, servers }
}

function send(url: string, method: string, body?: object, headers: Record<string, string> = {}) {
  const sent = body && { body: JSON.stringify(body) }
  return fetch(url, { method, headers: { ...headers, 'Content-Type': 'application/json' }, ...sent })
}

/** Creates a pet with this name in the sandbox of the same name. */
async function createPet(proxy: string, name: string): Promise<void> {
  const response = await send(`${proxy}/sandbox/${name}/pets`, 'POST', { name, categoryId: 1 })
  expect(response.status).toBe(201)
}

/** The names of all pets in a sandbox that are not from the starting data. */
async function findCreatedPets(proxy: string, sandbox: string): Promise<string[]> {
  const response = await fetch(`${proxy}/pets?sort=-id&limit=100`, { headers: { 'X-Petstore-Sandbox': sandbox } })
  const pets = (await response.json()) as { id: number; name: string }[]
  return pets.filter(({ id }) => id > 72).map(({ name }) => name)
}

/** The names of the sandboxes of a server, without the proxy. */
async function listSandboxes({ url }: Server): Promise<string[]> {
  const response = await fetch(`${url}/__admin/sandboxes`)
  const sandboxes = (await response.json()) as { name: string }[]
  return sandboxes.map(({ name }) => name).sort()
}
