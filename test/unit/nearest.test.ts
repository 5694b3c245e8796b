import { expect, it } from 'vitest'
import { findNearest } from '../../src/lib/nearest.js'

const FLAGS = ['port', 'host', 'seed', 'scenario', 'rules', 'sunset', 'log-format', 'max-headers', 'max-header-bytes']

it.each([
  ['prot', 'port'],
  ['sceanrio', 'scenario'],
  ['Port', 'port'],
  ['logFormat', 'log-format'],
  ['LOG_FORMAT', 'log-format'],
  ['log', 'log-format'],
  ['max-header', 'max-headers'],
])('suggests the right name for %s: %s', (given, meant) => {
  expect(findNearest(given, FLAGS)).toBe(meant)
})

it.each(['', 's', 'bogus', 'spec', 'max', 'x'.repeat(10_000), '\u0000', 'toString'])(
  'does not guess for %j',
  (given) => {
    expect(findNearest(given, FLAGS)).toBeUndefined()
  },
)

it('prefers the name with the same start, of two that are equally close', () => {
  expect(findNearest('of', ['on', 'off'])).toBe('off')
  expect(findNearest('o', ['on', 'off'])).toBeUndefined()
})
