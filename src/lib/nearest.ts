/**
 * The one of the known names that was most likely meant by a name that is none of them: the same but for case and
 * separators, cut short, or a few slips of the finger away. Undefined where none is near, since a wrong guess is worse
 * than none.
 */
export function findNearest(given: string, known: readonly string[]): string | undefined {
  const name = plain(given)
  if (name === '' || name.length > LONGEST) return undefined
  const same = known.find((each) => plain(each) === name)
  if (same !== undefined) return same
  const longer = known.filter((each) => plain(each).startsWith(name))
  if (name.length >= SHORTEST_BEGINNING && longer.length === 1) return longer[0]
  return findClosest(name, known)
}

/** The end of a sentence about an unknown name; empty where no known one is near. */
export function suggest(given: string, known: readonly string[], show: (name: string) => string = String): string {
  const nearest = findNearest(given, known)
  return nearest === undefined ? '' : `; did you mean ${show(nearest)}?`
}

/** Nobody types such a name by mistake, and comparing costs its length squared. */
const LONGEST = 40

/** Fewer letters than this begin too many names. */
const SHORTEST_BEGINNING = 3

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')

/** Of two that are equally close, the one that begins alike for longer. */
function findClosest(name: string, known: readonly string[]): string | undefined {
  let [closest, least, alike]: [string | undefined, number, number] = [undefined, mostSlips(name), -1]
  for (const each of known) {
    const slips = countSlips(name, plain(each))
    const common = commonStart(name, plain(each))
    if (slips < least || (slips === least && common > alike)) [closest, least, alike] = [each, slips, common]
  }
  return closest
}

/** A third of the letters, so that two short words that only look alike are not taken for each other. */
function mostSlips({ length }: string): number {
  return Math.min(3, Math.floor((length + 1) / 3))
}

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

/** How many letters were left out, added, mistaken or swapped with their neighbour. */
function countSlips(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const mistaken = (last[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? (beforeLast[column - 2] ?? Infinity) + 1
          : Infinity
      current.push(Math.min(mistaken, swapped, (last[column] as number) + 1, (current[column - 1] as number) + 1))
    }
    ;[beforeLast, last] = [last, current]
  }
  return last[b.length] as number
}
