import type { Span } from './ansi.js'
import type { Canvas } from './canvas.js'

export const WINDOW_WIDTH = 860
const SIZE = 13
const CHARACTER = SIZE * 0.6
const ROW = 19
const BAR = 28
const PADDING = 14
const MAX_COLUMNS = Math.floor((WINDOW_WIDTH - 2 * PADDING) / CHARACTER)

/** Lines that appear together. */
export interface Block {
  readonly lines: readonly (readonly Span[])[]
  /** The class that an animation refers to. */
  readonly className?: string
}

/** Draws a terminal with its lines, and returns where it ends. Long lines are broken, as a terminal does. */
export function drawWindow(canvas: Canvas, title: string, blocks: readonly Block[], top: number): number {
  const folded = blocks.map(({ lines, ...block }) => ({ ...block, lines: lines.flatMap(fold) }))
  const count = folded.reduce((sum, { lines }) => sum + lines.length, 0)
  const height = BAR + PADDING + count * ROW + 6
  const box = { x: 0.5, y: top + 0.5, width: WINDOW_WIDTH - 1, height }
  canvas.rect(box, { fill: 'background', stroke: 'border', radius: 8 })
  for (const dot of [0, 1, 2]) canvas.circle(20 + dot * 18, top + BAR / 2 + 2, 5, 'quietBar')
  canvas.text(WINDOW_WIDTH / 2, top + BAR / 2 + 6, title, { anchor: 'middle', size: SIZE, fill: 'muted' })
  let y = top + BAR + PADDING + 4
  for (const { lines, className } of folded) {
    const draw = (): void => {
      for (const line of lines) {
        drawLine(canvas, line, y)
        y += ROW
      }
    }
    if (className === undefined) draw()
    else canvas.group(className, draw)
  }
  return top + height + 1
}

function drawLine(canvas: Canvas, line: readonly Span[], y: number): void {
  let column = 0
  for (const { text, ink, bold } of line) {
    const visible = text.trimStart()
    const indent = text.length - visible.length
    if (visible !== '') {
      canvas.text(PADDING + (column + indent) * CHARACTER, y, visible.trimEnd(), {
        size: SIZE,
        fill: ink,
        bold,
        mono: true,
      })
    }
    column += text.length
  }
}

function fold(line: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]]
  let room = MAX_COLUMNS
  for (const span of line) {
    for (let rest = span.text; rest !== ''; ) {
      if (room === 0) {
        lines.push([])
        room = MAX_COLUMNS
      }
      const part = rest.slice(0, room)
      lines.at(-1)?.push({ ...span, text: part })
      rest = rest.slice(part.length)
      room -= part.length
    }
  }
  return lines
}
