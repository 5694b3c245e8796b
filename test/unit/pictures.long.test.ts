import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RECORDED } from '../../bench/recorded.js'
import { INKS, PALETTES, SCHEMES, SURFACES } from '../../scripts/pictures/palette.js'
import { generatePictures } from '../../scripts/pictures.js'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const drawn = await generatePictures()
const files = readdirSync(new URL('docs/pictures', root)).map((file) => `docs/pictures/${file}`)

/** As in the check of the links: the pages, and those beside the README. */
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]

interface Placed {
  readonly dark: string
  readonly light: string
  readonly alt: string
}

const PICTURE =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img alt="([^"]*)" src="([^"]+)"[^>]*>\s*<\/picture>/g

const placed: readonly Placed[] = pages.flatMap((page) =>
  [...read(page).matchAll(PICTURE)].map(([, dark = '', alt = '', light = '']) => ({
    dark: posix.join(posix.dirname(page), dark),
    light: posix.join(posix.dirname(page), light),
    alt,
  })),
)

describe('the pictures', () => {
  it.each([...drawn.keys()])('%s is up to date', (path) => {
    const isUpToDate = existsSync(new URL(path, root)) && read(path) === drawn.get(path)
    expect(isUpToDate, `${path} is out of date: run \`npm run generate\``).toBe(true)
  })

  it('are all placed in a page, for light and for dark, and all exist', () => {
    expect(new Set(placed.flatMap(({ dark, light }) => [dark, light]))).toEqual(new Set(files))
    expect(placed.filter(({ dark, light }) => dark !== light.replace('-light.', '-dark.'))).toEqual([])
  })

  it('have a text that says what they show', () => {
    expect(placed.filter(({ alt }) => alt.length < 20)).toEqual([])
  })

  it('use no other way to be placed', () => {
    const others = pages.filter((page) => /!\[[^\]]*\]\(/.test(read(page)) || /<img(?! alt)/.test(read(page)))
    expect(others).toEqual([])
  })

  it('are small enough for the package', () => {
    const size = files.reduce((sum, file) => sum + readFileSync(new URL(file, root)).length, 0)
    expect(size).toBeLessThan(400_000)
  })
})

it.each(RECORDED.servers)('the comparison shows the figures of the chart: $name', ({ name, figures }) => {
  const [comparison = ''] = pages.filter((page) => page.endsWith('/comparison.md'))
  const start = figures.at(-1)?.toFixed(1)
  const shares = figures.slice(0, -1).map((share) => share?.toFixed(2) ?? '–')
  expect(read(comparison).replaceAll('`', '')).toContain(`| ${[name, ...shares, start].join(' | ')} |`)
  expect(read(comparison)).toContain(RECORDED.date)
})

describe.each(SCHEMES)('the colours in the %s scheme', (scheme) => {
  const palette = PALETTES[scheme]
  const pairs = SURFACES.flatMap((surface) => INKS.map((ink) => [ink, surface] as const))

  it.each(pairs)('let %s be read on %s', (ink, surface) => {
    expect(contrast(palette[ink], palette[surface])).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['border', 'bar', 'quietBar'] as const)('let %s be seen', (colour) => {
    expect(contrast(palette[colour], palette.background)).toBeGreaterThanOrEqual(3)
  })
})

/** The contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
