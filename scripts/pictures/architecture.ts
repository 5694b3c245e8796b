import { readdirSync } from 'node:fs'
import { MAY_IMPORT, TYPES_ONLY } from '../source-layout.js'
import { type Canvas, createCanvas, LINE_HEIGHT, wrap } from './canvas.js'
import type { Scheme } from './palette.js'

interface Band {
  readonly label: string
  readonly note?: string
  /** By folder of src: what it is for. */
  readonly folders: Readonly<Record<string, string>>
  readonly columns: number
}

/** From the top down. A folder imports only from its own band and from those below it. */
const BANDS: readonly Band[] = [
  {
    label: 'Tools',
    columns: 4,
    folders: {
      vitest: 'a mock for each test',
      playwright: 'a sandbox for each test',
      vite: 'a mock in the dev server',
      cli: 'the command petstore-mock',
    },
  },
  {
    label: 'Ways to run it',
    columns: 5,
    folders: {
      index: 'petstore.fetch, in memory',
      'adapters/node': 'intercepts requests in Node',
      'adapters/browser': 'a service worker in the page',
      'adapters/server': 'a port on localhost',
      'adapters/msw': 'what node and browser share',
    },
  },
  {
    label: 'Helpers',
    columns: 5,
    folders: {
      assertions: 'matchers for requests',
      ssr: 'passes the sandbox on',
      snippets: 'requests as code',
      remote: 'what verify, pull and replay share',
      'remote/client': 'control from another process',
      'remote/verify': 'checks a running service',
      'remote/pull': 'data of a service as a fixture',
      'remote/replay': 'repeats a recorded run',
      dashboard: 'page to inspect and control',
      reference: 'page with the API reference',
    },
  },
  {
    label: 'Pet Store',
    note: 'knows pets',
    columns: 1,
    folders: { petstore: 'operations, store rules, model, starting data' },
  },
  {
    label: 'Engine',
    note: 'knows no pets',
    columns: 3,
    folders: {
      'engine/contract': 'routes, validates',
      'engine/store': 'records, snapshots',
      'engine/control': 'clock, faults, journal, sandboxes',
      'engine/admin': 'control over HTTP',
      'engine/fetch': 'Request in, Response out',
      'engine/reproduction': 'a run in a file',
    },
  },
  {
    label: 'Library',
    columns: 1,
    folders: { lib: 'exact JSON and int64, dates, durations, clock, random numbers' },
  },
]

const WIDTH = 900
const LABELS = 140
const GAP = 8
const PADDING = 10
const NAME = { size: 13, mono: true, bold: true, fill: 'blue' } as const
const NOTE = { size: 13 } as const

export function drawArchitecture(scheme: Scheme): string {
  checkBands()
  const canvas = createCanvas(
    scheme,
    WIDTH,
    'The folders of src in six bands: tools on ways to run it, on helpers, on the Pet Store, on the engine, on the library. Imports go down only.',
  )
  let y = 14
  for (const [index, band] of BANDS.entries()) {
    if (index > 0) canvas.line(arrowBetween(y), { arrow: true })
    if (index > 0) y += 26
    y = drawBand(canvas, band, y)
  }
  canvas.text(14, y + 24, 'An arrow means “imports from”. Imports go down, or stay within a band.', {
    ...NOTE,
    fill: 'muted',
  })
  return canvas.finish(y + 38)
}

function arrowBetween(y: number): [number, number][] {
  const x = LABELS + (WIDTH - LABELS) / 2
  return [
    [x, y + 3],
    [x, y + 23],
  ]
}

function drawBand(canvas: Canvas, { label, note, folders, columns }: Band, top: number): number {
  const entries = Object.entries(folders)
  const inner = WIDTH - LABELS - 14
  const width = (inner - GAP * (columns + 1)) / columns
  const texts = entries.map(([, purpose]) => wrap(purpose, width - 2 * PADDING, NOTE))
  const lines = Math.max(...texts.map(({ length }) => length))
  const height = 30 + lines * NOTE.size * LINE_HEIGHT
  const rows = Math.ceil(entries.length / columns)
  const bottom = top + rows * (height + GAP) + GAP
  canvas.rect({ x: LABELS, y: top, width: inner, height: bottom - top }, { fill: 'panel', radius: 6 })
  canvas.text(14, top + 27, label, { bold: true, size: 15, maxWidth: LABELS - 14 })
  if (note !== undefined) canvas.text(14, top + 47, note, { ...NOTE, fill: 'muted' })
  for (const [index, [folder]] of entries.entries()) {
    const x = LABELS + GAP + (index % columns) * (width + GAP)
    const y = top + GAP + Math.floor(index / columns) * (height + GAP)
    canvas.rect({ x, y, width, height }, { fill: 'background', stroke: 'border', radius: 5 })
    canvas.text(x + PADDING, y + 20, folder === 'index' ? 'index.ts' : folder, { ...NAME, maxWidth: width - PADDING })
    canvas.lines(x + PADDING, y + 39, texts[index] ?? [], { ...NOTE, maxWidth: width - PADDING })
  }
  return bottom
}

/** The picture has every folder that the layout has, and no arrow that the layout does not allow. */
function checkBands(): void {
  const bandOf = new Map(BANDS.flatMap(({ folders }, band) => Object.keys(folders).map((name) => [name, band])))
  const inEngine = readdirSync(new URL('../../src/engine/', import.meta.url), { withFileTypes: true })
  const engine = inEngine.filter((entry) => entry.isDirectory()).map(({ name }) => `engine/${name}`)
  const missing = [...Object.keys(MAY_IMPORT).filter((name) => name !== 'engine'), ...engine].filter(
    (name) => !bandOf.has(name),
  )
  if (missing.length > 0) throw new Error(`The picture of the architecture does not have ${missing.join(', ')}.`)
  const levelOf = (name: string): number => bandOf.get(name === 'engine' ? 'engine/contract' : name) ?? -1
  for (const [name, others] of Object.entries(MAY_IMPORT)) {
    const upwards = TYPES_ONLY.includes(name) ? [] : others.filter((other) => levelOf(other) < levelOf(name))
    if (upwards.length > 0) throw new Error(`In the picture, ${name} would import upwards: ${upwards.join(', ')}.`)
  }
}
