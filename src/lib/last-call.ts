/**
 * For calls that replace something once it is loaded: the last call wins, so a slow one must not undo a later one. Each call
 * announces itself at its start, and gets a function that says whether it may still replace.
 */
export function lastCallWins(): () => () => boolean {
  let announced = 0
  let latest = 0
  return () => {
    announced += 1
    const turn = announced
    return () => {
      if (turn < latest) return false
      latest = turn
      return true
    }
  }
}
