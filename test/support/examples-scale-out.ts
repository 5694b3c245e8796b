/** The requests of the test of examples/scale-out, to single servers and through the proxy. */
import { expect } from 'vitest'
import { type RunningExample, startInExample } from './examples-process.js'

export interface ScaledOut extends RunningExample {
  /** The address of the proxy. */
  readonly url: string
  readonly servers: readonly Server[]
}

export interface Server {
  readonly url: string
  readonly pid: number
}

export async function startScaledOut(project: string): Promise<ScaledOut> {
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

export function send(url: string, method: string, body?: object, headers: Record<string, string> = {}) {
  const sent = body && { body: JSON.stringify(body) }
  return fetch(url, { method, headers: { ...headers, 'Content-Type': 'application/json' }, ...sent })
}

/** Creates a pet with this name in the sandbox of the same name. */
export async function moveIn(proxy: string, name: string): Promise<void> {
  const response = await send(`${proxy}/sandbox/${name}/pets`, 'POST', { name, categoryId: 1 })
  expect(response.status).toBe(201)
}

/** The names of all pets in a sandbox that are not from the starting data. */
export async function findNewcomers(proxy: string, sandbox: string): Promise<string[]> {
  const response = await fetch(`${proxy}/pets?sort=-id&limit=100`, { headers: { 'X-Petstore-Sandbox': sandbox } })
  const pets = (await response.json()) as { id: number; name: string }[]
  return pets.filter(({ id }) => id > 72).map(({ name }) => name)
}

/** The names of the sandboxes of a server, without the proxy. */
export async function listSandboxes({ url }: Server): Promise<string[]> {
  const response = await fetch(`${url}/__admin/sandboxes`)
  const sandboxes = (await response.json()) as { name: string }[]
  return sandboxes.map(({ name }) => name).sort()
}
