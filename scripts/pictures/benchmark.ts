import { RECORDED } from '../../bench/recorded.js'
import { type Canvas, createCanvas } from './canvas.js'
import type { Scheme } from './palette.js'

const WIDTH = 860
const NAMES = 348
const PANEL = (WIDTH - NAMES - 20) / 2
const BAR = PANEL - 70
const ROW = 27
const TOP = 82
const SIZE = 13

/** The columns of the record that are drawn, side by side. */
const SHOWN = ['GET /pets/1', 'valid POST'] as const

export function drawBenchmark(scheme: Scheme): string {
  const { date, machine, servers } = RECORDED
  const columns = SHOWN.map((name) => RECORDED.columns.indexOf(name))
  const rows = servers.map(({ name, figures }) => ({ name, shares: columns.map((column) => figures[column] ?? 0) }))
  const list = rows.map(({ name, shares }) => `${name}: ${shares.map((share) => share.toFixed(2)).join(' and ')}.`)
  const title = 'Requests per second, as a share of raw node:http'
  const canvas = createCanvas(scheme, WIDTH, `${title}, for ${SHOWN.join(' and ')}. ${list.join(' ')}`)
  canvas.text(16, 32, `${title} (longer is better)`, { bold: true, size: 16 })
  for (const [index, name] of SHOWN.entries()) {
    canvas.text(NAMES + index * PANEL, TOP - 14, name, { bold: true, size: SIZE, maxWidth: PANEL })
  }
  for (const [index, row] of rows.entries()) drawRow(canvas, row, TOP + index * ROW)
  const end = TOP + rows.length * ROW
  canvas.text(16, end + 24, `One run of npm run bench on ${date}, on ${machine}.`, { size: SIZE, fill: 'muted' })
  return canvas.finish(end + 42)
}

function drawRow(canvas: Canvas, { name, shares }: { name: string; shares: readonly number[] }, y: number): void {
  const isOurs = name.startsWith('petstore-mock')
  canvas.text(NAMES - 12, y + 15, name, { size: SIZE, anchor: 'end', bold: isOurs })
  for (const [index, share] of shares.entries()) {
    const x = NAMES + index * PANEL
    canvas.rect({ x, y: y + 2, width: share * BAR, height: ROW - 9 }, { fill: isOurs ? 'bar' : 'quietBar', radius: 2 })
    canvas.text(x + share * BAR + 6, y + 15, share.toFixed(2), { size: SIZE, bold: isOurs })
  }
}
