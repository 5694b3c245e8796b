/**
 * The known name that an unknown one was most likely meant to be: equal except for case and separators, the only one that
 * starts with it, or a few typos away. Undefined if none is close, because a wrong guess is worse than none.
 */
export function findNearest(given: string, known: readonly string[]): string | undefined {
  const name = normalize(given)
  if (name === '' || name.length > MAX_LENGTH) return undefined
  const same = known.find((each) => normalize(each) === name)
  if (same !== undefined) return same
  const longer = known.filter((each) => normalize(each).startsWith(name))
  if (name.length >= MIN_PREFIX_LENGTH && longer.length === 1) return longer[0]
  return findClosest(name, known)
}

/** A longer name is no typo, and comparing takes time proportional to the length squared. */
const MAX_LENGTH = 40

/** A shorter prefix fits too many names. */
const MIN_PREFIX_LENGTH = 3

function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

/** Of equally close names, the one with the longer common prefix. */
function findClosest(name: string, known: readonly string[]): string | undefined {
  let [closest, fewest, longest]: [string | undefined, number, number] = [undefined, maxTypos(name), -1]
  for (const each of known) {
    const typos = countTypos(name, normalize(each))
    const prefix = commonPrefixLength(name, normalize(each))
    if (typos < fewest || (typos === fewest && prefix > longest)) [closest, fewest, longest] = [each, typos, prefix]
  }
  return closest
}

/** A third of the letters, so that two different short words are not confused. */
function maxTypos({ length }: string): number {
  return Math.min(3, Math.floor((length + 1) / 3))
}

function commonPrefixLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

/** The edit distance, where swapping two neighbouring letters counts as one edit. */
function countTypos(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (last[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? (beforeLast[column - 2] ?? Infinity) + 1
          : Infinity
      current.push(Math.min(replaced, swapped, (last[column] as number) + 1, (current[column - 1] as number) + 1))
    }
    ;[beforeLast, last] = [last, current]
  }
  return last[b.length] as number
}
