import { createRandom } from '../../lib/random.js'

/** The characters that a text can have at each position, sorted by code. */
export type Alphabets = readonly string[]

/** How many texts are needed at most. With more possible ones, they look less like a number. */
const MAX_NUMBER = 2 ** 28
const MANY = 2 ** 32

/**
 * Makes a different text of each number. A larger number gives a text that sorts later. The first positions count, the others
 * are filled at random, the same for the same number. When there are not enough texts, longer ones follow.
 */
export function createNumberedText(alphabets: Alphabets): (number: number) => string {
  let possible = 1
  let counting = 0
  for (; counting < alphabets.length && possible < MANY; counting++) possible *= sizeAt(counting)
  const hasMany = possible >= MANY
  const limit = hasMany ? MAX_NUMBER : possible
  const start = hasMany ? Math.floor(possible * 0.382) : 0
  const step = hasMany ? Math.floor(possible / 2 / MAX_NUMBER) : 1

  function sizeAt(position: number): number {
    return alphabets[position]?.length ?? 1
  }

  return (number) => {
    const random = createRandom(number, 'id')
    let rest = start + step * (number % limit)
    let counted = ''
    for (let position = counting - 1; position >= 0; position--) {
      counted = alphabets[position]?.charAt(rest % sizeAt(position)) + counted
      rest = Math.floor(rest / sizeAt(position))
    }
    const filled = alphabets.slice(counting).map((characters) => characters.charAt(random() * characters.length))
    const round = Math.floor(number / limit)
    return `${counted}${filled.join('')}${round === 0 ? '' : round}`
  }
}
