import type { Ink } from './palette.js'

/** A piece of a printed line in one style. */
export interface Span {
  readonly text: string
  readonly ink: Ink
  readonly bold: boolean
}

const INKS: Readonly<Record<number, Ink>> = {
  30: 'muted',
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  37: 'text',
  90: 'muted',
}
const [RESET, BOLD, DIM, NOT_BOLD, DEFAULT_COLOUR] = [0, 1, 2, 22, 39]
const PLAIN = { ink: 'text', bold: false } as const

type Style = Pick<Span, 'ink' | 'bold'>

/** The lines of an output with the escape sequences of a terminal for colours. */
export function parseAnsi(output: string): Span[][] {
  let style: Style = PLAIN
  return output.split('\n').map((line) => {
    const spans: Span[] = []
    // Text and style codes alternate.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a terminal gets
    for (const [index, part] of line.split(/\u001b\[([\d;]*)m/).entries()) {
      if (index % 2 === 1) style = part.split(';').map(Number).reduce(applyCode, style)
      else if (part !== '') spans.push({ text: part, ...style })
    }
    return spans
  })
}

/** Backgrounds and other codes change nothing. */
function applyCode(style: Style, code: number): Style {
  if (code === RESET) return PLAIN
  if (code === BOLD) return { ...style, bold: true }
  if (code === DIM) return { ...style, ink: 'muted' }
  if (code === NOT_BOLD) return { bold: false, ink: style.ink === 'muted' ? 'text' : style.ink }
  if (code === DEFAULT_COLOUR) return { ...style, ink: 'text' }
  return { ...style, ink: INKS[code] ?? style.ink }
}
