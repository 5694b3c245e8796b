import { expect, it } from 'vitest'
import { utf8Length } from '../../src/lib/text.js'

it.each([
  ['nothing', ''],
  ['ASCII', 'Rex'],
  ['characters of two, three and four bytes', 'é€🐶'],
  ['half of a surrogate pair, which is sent as a replacement character', 'a\ud800b'],
  ['as much as is encoded into memory that is there already', '€'.repeat(21_845)],
  ['more than that', '€'.repeat(21_846)],
])('counts the bytes of %s', (_, text) => {
  expect(utf8Length(text)).toBe(Buffer.byteLength(text))
})
