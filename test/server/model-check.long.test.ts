import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { defineService } from '../../src/index.js'
import { createRandom } from '../../src/lib/random.js'
import { isFullRun } from '../support/full-run.js'
import {
  collection,
  GONE,
  INTEGER,
  inPath,
  inQuery,
  object,
  PROBLEM,
  ref,
  returns,
  TEXT,
  toDocument,
} from '../support/small-documents.js'

/*
 * Every response of a document service under load is compared with a model. The connections of a sandbox use their own
 * projects at the same time. When all of them have paused, the sandbox is reset, removed, saved or restored, while the other
 * sandboxes go on.
 */

const DURATION_MS = isFullRun ? 60_000 : 4_000

/** The name of a sandbox, or an empty one for the root; how many connections it has, and how many steps they take between pauses. */
const WORLDS: readonly (readonly [name: string, connections: number, steps: number])[] = [
  ...Array.from({ length: 8 }, (_, index) => [`crowd-${index}`, 8, 20] as const),
  ['', 1, 3],
  ['beside-1', 1, 3],
  ['beside-2', 1, 1],
]

const PAGES = ['limit', 'offset'].map((name) => inQuery(name, { ...INTEGER, minimum: 0, maximum: 1000 }))

const document = toDocument(
  {
    ...collection('projects', { record: ref('Project'), query: [inQuery('owner'), ...PAGES] }),
    ...collection('tasks', {
      record: ref('Task'),
      prefix: '/projects/{projectId}',
      parents: [inPath('projectId')],
      query: [inQuery('done', { type: 'boolean' }), ...PAGES],
    }),
    '/projects/{projectId}/close': {
      parameters: [inPath('projectId')],
      post: {
        operationId: 'closeProject',
        parameters: [inQuery('fails', { type: 'boolean' })],
        responses: { 200: returns(ref('Project')), 404: PROBLEM, 409: PROBLEM, 204: GONE },
      },
    },
  },
  {
    Project: object({ id: { ...INTEGER, readOnly: true }, name: { ...TEXT, minLength: 1 }, owner: TEXT }, [
      'id',
      'name',
    ]),
    Task: object({ id: { ...INTEGER, readOnly: true }, title: TEXT, done: { type: 'boolean' } }, ['id', 'title']),
  },
)

/** Nobody changes these. */
const STARTING = [
  { id: 1, name: 'Alpha', owner: 'nobody' },
  { id: 2, name: 'Beta' },
]

const service = defineService({
  document,
  errors: { PROJECT_UNKNOWN: 404, NOT_CLOSED: 409 },
  scenarios: { default: { projects: STARTING } },
  operations: {
    /** Changes several records, waits, and may fail. */
    async closeProject({ path, query, store, fail }) {
      const id = String(path.projectId)
      const project = store.projects?.get(id)
      if (project === undefined) throw fail('PROJECT_UNKNOWN', `No project has the id ${id}.`)
      for (const task of [...(store.tasks?.select({}) ?? [])]) {
        if (task['/projectId'] === id) store.tasks?.replace({ ...task, done: true })
      }
      await setImmediate()
      const closed = store.projects?.replace({ ...project, name: `${project.name} (closed)` })
      if (query.fails === true) throw fail('NOT_CLOSED', `Project ${id} stays open.`)
      return { status: 200, body: closed }
    },
  },
})

interface Task {
  readonly id: number
  readonly title: string
  readonly done?: boolean
}

interface Project {
  readonly id: number
  readonly name: string
  readonly owner?: string
  readonly tasks: ReadonlyMap<number, Task>
}

/** What a sandbox must have. Replaced as a whole, so that a snapshot is a reference. */
interface State {
  readonly projects: ReadonlyMap<number, Project>
  /** The largest ids that were ever given. */
  readonly last: { readonly project: number; readonly task: number }
}

const START: State = {
  projects: new Map(STARTING.map((project) => [project.id, { ...project, tasks: new Map() }])),
  last: { project: STARTING.length, task: 0 },
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

type Send = (method: string, path: string, body?: unknown) => Promise<Reply>

const without = <Value>(map: ReadonlyMap<number, Value>, id: number) => new Map([...map].filter(([key]) => key !== id))
const byId = <Value extends { readonly id: number }>(map: ReadonlyMap<number, Value>) =>
  [...map.values()].sort((a, b) => a.id - b.id)
const shown = ({ tasks: _, ...project }: Project) => project

/** One sandbox, and what it must respond. */
class World {
  state = START
  readonly #snapshots = new Map<string, State>()

  constructor(readonly tally: Map<string, number>) {}

  expectReply(request: string, reply: Reply, status: number, body?: unknown): void {
    const kind = request.replace(/\d+/g, '1')
    this.tally.set(kind, (this.tally.get(kind) ?? 0) + 1)
    const isAsExpected = reply.status === status && (body === undefined || isDeepStrictEqual(reply.body, body))
    if (!isAsExpected) expect({ request, ...reply }).toEqual({ request, status, body: body ?? reply.body })
  }

  put(project: Project): void {
    const projects = new Map([...this.state.projects, [project.id, project]])
    this.state = { ...this.state, projects }
  }

  /** Ids are never given twice. */
  take(kind: 'project' | 'task', known: State, { body }: Reply): number {
    const { id } = body as { id: number }
    expect(id).toBeGreaterThan(known.last[kind])
    this.state = { ...this.state, last: { ...this.state.last, [kind]: Math.max(this.state.last[kind], id) } }
    return id
  }

  /** One step of a connection, with its own projects. */
  async step(send: Send, owner: string, random: () => number): Promise<void> {
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
    const own = byId(this.state.projects).filter((each) => each.owner === owner)
    const project = pick(own)
    const action = pick(project ? ACTIONS : (['create', 'invalid', 'list'] as const))
    const path = `/projects/${project?.id}`
    const name = `Project ${Math.floor(random() * 1000)}`
    const known = this.state
    const request = async (method: string, target: string, body?: unknown) => ({
      method,
      target,
      reply: await send(method, target, body),
    })
    const check = ({ method, target, reply }: Awaited<ReturnType<typeof request>>, status: number, body?: unknown) =>
      this.expectReply(`${method} ${target}`, reply, status, body)

    switch (action) {
      case 'create': {
        const created = await request('POST', '/projects', { name, owner })
        const id = this.take('project', known, created.reply)
        check(created, 201, { id, name, owner })
        expect(this.state.projects.has(id)).toBe(false)
        return this.put({ id, name, owner, tasks: new Map() })
      }
      case 'invalid':
        check(await request('POST', '/projects', { name: '', owner }), 400)
        check(await request('POST', '/projects', '{'), 400)
        return check(await request('GET', '/projects/x'), 400)
      case 'list': {
        const offset = Math.floor(random() * 3)
        const limit = 1 + Math.floor(random() * 3)
        const listed = await request('GET', `/projects?owner=${owner}&offset=${offset}&limit=${limit}`)
        return check(listed, 200, own.slice(offset, offset + limit).map(shown))
      }
      case 'others':
        for (const each of STARTING) check(await request('GET', `/projects/${each.id}`), 200, each)
        return
      case 'read':
        return check(await request('GET', path), 200, shown(project))
      case 'replace':
        check(await request('PUT', path, { name, owner }), 200, { id: project.id, name, owner })
        return this.put({ ...project, name })
      case 'merge':
        check(await request('PATCH', path, { name }), 200, { ...shown(project), name })
        return this.put({ ...project, name })
      case 'remove': {
        check(await request('DELETE', path), 204)
        this.state = { ...this.state, projects: without(this.state.projects, project.id) }
        check(await request('GET', path), 404)
        return check(await request('GET', `${path}/tasks`), 404)
      }
      case 'close':
      case 'fail': {
        const fails = action === 'fail'
        const closed = { ...shown(project), name: `${project.name} (closed)` }
        const sent = await request('POST', `${path}/close?fails=${fails}`)
        if (fails) return check(sent, 409)
        check(sent, 200, closed)
        const tasks = [...project.tasks].map(([id, task]) => [id, { ...task, done: true }] as const)
        return this.put({ ...closed, tasks: new Map(tasks) })
      }
      case 'addTask': {
        const done = random() < 0.5
        const added = await request('POST', `${path}/tasks`, { title: name, done })
        const id = this.take('task', known, added.reply)
        check(added, 201, { id, title: name, done })
        return this.put({ ...project, tasks: new Map([...project.tasks, [id, { id, title: name, done }]]) })
      }
      case 'tasks': {
        const done = random() < 0.5
        check(await request('GET', `${path}/tasks?limit=1000`), 200, byId(project.tasks))
        const filtered = byId(project.tasks).filter((task) => task.done === done)
        return check(await request('GET', `${path}/tasks?done=${done}&limit=1000`), 200, filtered)
      }
      case 'task': {
        const task = pick(byId(project.tasks))
        if (task === undefined) return check(await request('GET', `${path}/tasks/999999`), 404)
        const other = own.find(({ id }) => id !== project.id)
        if (other) check(await request('GET', `/projects/${other.id}/tasks/${task.id}`), 404)
        check(await request('PATCH', `${path}/tasks/${task.id}`, { title: name }), 200, { ...task, title: name })
        check(await request('GET', `${path}/tasks/${task.id}`), 200, { ...task, title: name })
        return this.put({ ...project, tasks: new Map([...project.tasks, [task.id, { ...task, title: name }]]) })
      }
      case 'removeTask': {
        const task = pick(byId(project.tasks))
        if (task === undefined) return check(await request('DELETE', `${path}/tasks/999999`), 404)
        check(await request('DELETE', `${path}/tasks/${task.id}`), 204)
        return this.put({ ...project, tasks: without(project.tasks, task.id) })
      }
    }
  }

  /** While no connection of this sandbox sends anything. */
  async pause(send: Send, name: string, random: () => number): Promise<void> {
    await this.expectAll(send)
    const snapshot = `s${Math.floor(random() * 3)}`
    const saved = this.#snapshots.get(snapshot)
    const kind = Math.floor(random() * 5)
    if (kind === 0) {
      this.expectReply('reset', await send('POST', '/__admin/reset'), 204)
      this.state = START
    } else if (kind === 1) {
      this.expectReply('take', await send('POST', '/__admin/snapshots', { name: snapshot }), 201)
      this.#snapshots.set(snapshot, this.state)
    } else if (kind === 2) {
      const restored = await send('POST', `/__admin/snapshots/${snapshot}/restore`)
      this.expectReply('restore', restored, saved ? 204 : 404)
      if (saved) this.state = saved
    } else if (kind === 3 && name !== '') {
      this.expectReply('remove', await send('DELETE', `/__admin/sandboxes/${name}`), 204)
      this.state = START
      this.#snapshots.clear()
    }
    await this.expectAll(send)
  }

  async expectAll(send: Send): Promise<void> {
    const { projects } = this.state
    this.expectReply('all', await send('GET', '/projects?limit=1000'), 200, byId(projects).map(shown))
    for (const { id, tasks } of projects.values()) {
      this.expectReply('all tasks', await send('GET', `/projects/${id}/tasks?limit=1000`), 200, byId(tasks))
    }
  }
}

const ACTIONS = [
  'create',
  'invalid',
  'list',
  'others',
  'read',
  'replace',
  'merge',
  'remove',
  'close',
  'fail',
  'addTask',
  'addTask',
  'addTask',
  'tasks',
  'task',
  'removeTask',
] as const

/** What was expected at least once. */
const KINDS = ['reset', 'take', 'restore', 'remove', 'POST /projects/1/close?fails=true', 'DELETE /projects/1/tasks/1']

it('responds as a model does, to 64 connections in several sandboxes', { timeout: DURATION_MS + 60_000 }, async () => {
  await using server = await startServer({ service, port: 0 })
  const tally = new Map<string, number>()
  const deadline = performance.now() + DURATION_MS
  let hasFailed = false

  /** Also a slow machine does everything once. */
  const isOver = () => hasFailed || (performance.now() > deadline && KINDS.every((kind) => tally.has(kind)))

  function open(name: string): Send {
    const client = new Client(server.url)
    onTestFinished(() => client.close())
    const base = name === '' ? '' : `/sandbox/${name}`
    return async (method, path, body) => {
      const isOfServer = path.startsWith('/__admin/sandboxes')
      const { statusCode, body: received } = await client.request({
        method: method as 'GET',
        path: isOfServer ? path : base + path,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      })
      const text = await received.text()
      return { status: statusCode, body: text === '' ? undefined : JSON.parse(text) }
    }
  }

  async function run(name: string, connections: number, steps: number): Promise<void> {
    const world = new World(tally)
    const random = createRandom(59, name)
    const senders = Array.from({ length: connections }, (_, index) => ({
      owner: `owner-${index}`,
      send: open(name),
      random: createRandom(index, name),
    }))
    while (!isOver()) {
      await Promise.all(
        senders.map(async ({ send, owner, random }) => {
          for (let step = 0; step < steps && !isOver(); step++) await world.step(send, owner, random)
        }),
      )
      await world.pause(senders[0]?.send as Send, name, random)
    }
  }

  await Promise.all(
    WORLDS.map((world) =>
      run(...world).catch((error) => {
        hasFailed = true
        throw error
      }),
    ),
  )
  server.mock.check()
})
