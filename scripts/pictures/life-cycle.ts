import { createPetstore, type Petstore } from '../../src/index.js'
import { type Canvas, createCanvas, LINE_HEIGHT } from './canvas.js'
import type { Scheme } from './palette.js'

const STATUSES = ['available', 'pending', 'sold'] as const
type Status = (typeof STATUSES)[number]

/** What the next status of a pet can depend on. */
interface Situation {
  readonly status: Status
  readonly stock: number
  readonly openOrders: number
}

interface Action {
  readonly label: string
  act(petstore: Petstore, petId: number, orderId: number): Promise<unknown>
}

const ACTIONS: readonly Action[] = [
  { label: 'unit ordered', act: (petstore, petId) => send(petstore, 'POST', '/store/orders', { petId }) },
  { label: 'order deleted', act: (petstore, _, id) => send(petstore, 'DELETE', `/store/orders/${id}`) },
  {
    label: 'order completed',
    act: (petstore, _, id) => send(petstore, 'PATCH', `/store/orders/${id}`, { complete: true }),
  },
  { label: 'stock set above 0', act: (petstore, petId) => setStock(petstore, petId, 3) },
  { label: 'stock set to 0', act: (petstore, petId) => setStock(petstore, petId, 0) },
  ...STATUSES.map((status) => ({
    label: `status set to ${status}`,
    act: (petstore: Petstore, petId: number) => setStatus(petstore, petId, status),
  })),
]

/** What distinguishes the situations in which an action changes the status. The first that does is named. */
const CONDITIONS: readonly [string, (situation: Situation) => boolean][] = [
  ['', () => true],
  ['the last', ({ stock }) => stock === 1],
  ['in stock', ({ stock }) => stock > 0],
  ['no open orders', ({ openOrders }) => openOrders === 0],
  ['open orders', ({ openOrders }) => openOrders > 0],
  ['the last, no stock', ({ stock, openOrders }) => stock === 0 && openOrders === 1],
]

/** By `from to`: what causes the change. Found by doing everything to a pet in every situation. */
async function findChanges(): Promise<Map<string, string[]>> {
  const situations = STATUSES.flatMap((status) =>
    [0, 1, 2].flatMap((stock) => [0, 1, 2].map((openOrders) => ({ status, stock, openOrders }))),
  ).filter(isPossible)
  const changes = new Map<string, string[]>()
  for (const { label, act } of ACTIONS) {
    for (const from of STATUSES) {
      const results: [Situation, Status][] = []
      for (const situation of situations.filter(({ status }) => status === from)) {
        const after = await statusAfter(situation, act)
        if (after !== undefined) results.push([situation, after])
      }
      for (const to of STATUSES) {
        if (to === from || !results.some(([, after]) => after === to)) continue
        const condition = CONDITIONS.find(([, holds]) =>
          results.every(([situation, after]) => holds(situation) === (after === to)),
        )
        if (condition === undefined) throw new Error(`When does a pet become ${to}? ${label}, ${from}`)
        const text = condition[0] === '' ? label : `${label} (${condition[0]})`
        changes.set(`${from} ${to}`, [...(changes.get(`${from} ${to}`) ?? []), text])
      }
    }
  }
  return changes
}

/** As the store rules promise. */
function isPossible({ status, stock, openOrders }: Situation): boolean {
  if (status === 'available') return stock > 0
  return status === 'pending' || (stock === 0 && openOrders === 0)
}

/** Undefined if the situation has no order for the action. */
async function statusAfter(situation: Situation, act: Action['act']): Promise<Status | undefined> {
  const petstore = createPetstore({ scenario: 'empty' })
  await send(petstore, 'POST', '/categories', { name: 'Dogs' })
  const { id } = await send(petstore, 'POST', '/pets', { name: 'Rex', categoryId: 1 })
  await setStock(petstore, id, situation.stock + situation.openOrders + 1)
  for (let count = 0; count < situation.openOrders; count++) {
    await send(petstore, 'POST', '/store/orders', { petId: id })
  }
  if (situation.status === 'pending') await setStatus(petstore, id, 'pending')
  await setStock(petstore, id, situation.stock)
  // Stock above 0 makes it available.
  if (situation.status === 'pending') await setStatus(petstore, id, 'pending')
  const read = async (): Promise<Status> => (await send(petstore, 'GET', `/pets/${id}`)).status
  if ((await read()) !== situation.status) throw new Error(`Not reached: ${JSON.stringify(situation)}`)
  const reply = await act(petstore, id, 1)
  if ((reply as { code?: string })?.code === 'ORDER_NOT_FOUND') return undefined
  return read()
}

const setStock = (petstore: Petstore, petId: number, quantity: number) =>
  send(petstore, 'PUT', `/store/inventory/${petId}`, { quantity })

const setStatus = (petstore: Petstore, petId: number, status: Status) =>
  send(petstore, 'PUT', `/pets/${petId}`, { name: 'Rex', categoryId: 1, status })

async function send(petstore: Petstore, method: string, path: string, body?: object) {
  const headers = { 'Content-Type': 'application/json' }
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const text = await (await petstore.fetch(`http://127.0.0.1:4010${path}`, init)).text()
  return text === '' ? undefined : JSON.parse(text)
}

const WIDTH = 860
const BOX = { width: 120, height: 52 }
const SIZE = 13
const ROW = SIZE * LINE_HEIGHT
const MIDDLE = 190
const LOOP = 112

/** The states stand side by side. Changes to the right are above, to the left below; those past a state take the loop. */
export async function drawLifeCycle(scheme: Scheme): Promise<string> {
  const changes = await findChanges()
  const title = [...changes].map(([move, causes]) => `From ${move.replace(' ', ' to ')}: ${causes.join('; ')}.`)
  const canvas = createCanvas(scheme, WIDTH, `The status of a pet. ${title.join(' ')}`)
  for (const [move, causes] of changes) {
    const [from, to] = move.split(' ').map((status) => STATUSES.indexOf(status as Status)) as [number, number]
    drawChange(canvas, from, to, causes)
  }
  for (const [index, status] of STATUSES.entries()) {
    const x = centreOf(index) - BOX.width / 2
    canvas.rect({ x, y: MIDDLE - BOX.height / 2, ...BOX }, { fill: 'highlight', stroke: 'border', radius: 8 })
    canvas.text(centreOf(index), MIDDLE + 6, status, { anchor: 'middle', bold: true, size: 17 })
  }
  canvas.text(20, 30, 'The status of a pet', { bold: true, size: 17 })
  return canvas.finish(2 * MIDDLE - 44)
}

function centreOf(index: number): number {
  return 84 + (index * (WIDTH - 168)) / (STATUSES.length - 1)
}

function drawChange(canvas: Canvas, from: number, to: number, causes: readonly string[]): void {
  const direction = Math.sign(to - from)
  // Above the states to the right, below them to the left.
  const side = -direction
  const isLoop = Math.abs(to - from) > 1
  const height = isLoop ? LOOP : 11
  const y = MIDDLE + side * height
  const start = centreOf(from) + (isLoop ? 0 : direction * (BOX.width / 2))
  const end = centreOf(to) - (isLoop ? 0 : direction * (BOX.width / 2))
  const edge = MIDDLE + side * (BOX.height / 2)
  const along: [number, number][] = [
    [start, y],
    [end, y],
  ]
  canvas.line(isLoop ? [[start, edge], ...along, [end, edge]] : along, { arrow: true })
  // Above or below the boxes too: a text may be wider than the gap between them.
  const near = isLoop ? y : edge
  const first = side < 0 ? near - 9 - (causes.length - 1) * ROW : near + 20
  canvas.lines((start + end) / 2, first, causes, { size: SIZE, anchor: 'middle' })
}
