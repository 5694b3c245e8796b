import { type Colour, PALETTES, type Scheme } from './palette.js'

/** A little writer of SVG: boxes, lines and texts in the colours of a scheme. Everything is in pixels. */
export interface Canvas {
  rect(box: Box, options: { fill?: Colour; stroke?: Colour; radius?: number }): void
  /** `y` is the base line. Throws if the text does not fit: between `x` and the edge, or within `maxWidth`. */
  text(x: number, y: number, text: string, options?: TextOptions): void
  /** Texts below each other. Returns the base line of the next one. */
  lines(x: number, y: number, texts: readonly string[], options?: TextOptions): number
  circle(x: number, y: number, radius: number, fill: Colour): void
  line(points: readonly Point[], options?: { stroke?: Colour; arrow?: boolean; dashed?: boolean }): void
  /** Adds elements inside a group with a class, which an animation can refer to. */
  group(className: string, draw: () => void): void
  style(css: string): void
  finish(height: number): string
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Point = readonly [x: number, y: number]

export interface TextOptions {
  readonly size?: number
  readonly fill?: Colour
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly bold?: boolean
  readonly mono?: boolean
  readonly maxWidth?: number
}

export const TEXT_SIZE = 14
export const LINE_HEIGHT = 1.4
/** The widths of a character, as shares of the text's size. Proportional fonts differ, so theirs is generous. */
const CHARACTER = { mono: 0.6, sans: 0.56, bold: 0.6 }
const FONTS = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;white-space:pre}"
const MONO = '.m{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}'

/** `title` is what a screen reader says. */
export function createCanvas(scheme: Scheme, width: number, title: string): Canvas {
  const palette = PALETTES[scheme]
  const elements: string[] = []
  const styles = [FONTS, MONO]

  function text(x: number, y: number, content: string, options: TextOptions = {}): void {
    const { size = TEXT_SIZE, fill = 'text', anchor = 'start', bold = false, mono = false } = options
    const needed = textWidth(content, { size, mono, bold })
    const room = anchor === 'middle' ? 2 * Math.min(x, width - x) : anchor === 'end' ? x : width - x
    if (needed > Math.min(room, options.maxWidth ?? room)) throw new Error(`The text does not fit: ${content}`)
    const attributes = [
      `x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${palette[fill]}"`,
      ...(anchor === 'start' ? [] : [`text-anchor="${anchor}"`]),
      ...(bold ? ['font-weight="600"'] : []),
      // Monospaced fonts differ in width; what is aligned must stay so.
      ...(mono ? [`class="m" textLength="${round(needed)}"`] : []),
    ]
    elements.push(`<text ${attributes.join(' ')}>${escapeText(content)}</text>`)
  }

  return {
    text,
    rect({ x, y, width: w, height }, { fill, stroke, radius = 0 }) {
      const paint = `fill="${fill ? palette[fill] : 'none'}"${stroke ? ` stroke="${palette[stroke]}"` : ''}`
      const place = `x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(height)}"`
      elements.push(`<rect ${place} ${paint}${radius ? ` rx="${radius}"` : ''}/>`)
    },
    lines(x, y, texts, options = {}) {
      const step = (options.size ?? TEXT_SIZE) * LINE_HEIGHT
      for (const [index, each] of texts.entries()) text(x, y + index * step, each, options)
      return y + texts.length * step
    },
    circle(x, y, radius, fill) {
      elements.push(`<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" fill="${palette[fill]}"/>`)
    },
    line(points, { stroke = 'muted', arrow = false, dashed = false } = {}) {
      const d = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
      const extras = `${arrow ? ' marker-end="url(#arrow)"' : ''}${dashed ? ' stroke-dasharray="4 4"' : ''}`
      elements.push(`<path d="${d}" fill="none" stroke="${palette[stroke]}" stroke-width="1.5"${extras}/>`)
    },
    group(className, draw) {
      elements.push(`<g class="${className}">`)
      draw()
      elements.push('</g>')
    },
    style: (css) => void styles.push(css),
    finish(height) {
      const size = `width="${width}" height="${round(height)}" viewBox="0 0 ${width} ${round(height)}"`
      const marker = elements.some((element) => element.includes('#arrow')) ? [arrowMarker(palette.muted)] : []
      return [
        `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escapeText(title)}">`,
        `<title>${escapeText(title)}</title>`,
        `<style>${styles.join('')}</style>`,
        ...marker,
        `<rect width="100%" height="100%" rx="8" fill="${palette.background}"/>`,
        ...elements,
        '</svg>\n',
      ].join('\n')
    },
  }
}

/** An estimate: a picture does not know its fonts. */
export function textWidth(text: string, { size = TEXT_SIZE, mono = false, bold = false }: TextOptions): number {
  return [...text].length * size * CHARACTER[mono ? 'mono' : bold ? 'bold' : 'sans']
}

function arrowMarker(colour: string): string {
  const box = 'viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"'
  return `<defs><marker id="arrow" ${box}><path d="M0 0L10 5L0 10z" fill="${colour}"/></marker></defs>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Breaks a text into lines that fit. */
export function wrap(text: string, maxWidth: number, options: TextOptions): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = `${last} ${word}`
    if (last === undefined || textWidth(longer, options) > maxWidth) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}
