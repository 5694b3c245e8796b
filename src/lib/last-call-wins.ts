/** One of several calls that may overlap. */
export interface Turn {
  /** Call before taking effect. False when a call that began later has already taken effect. */
  commit(): boolean
}

/** Decides between overlapping calls: the one that began last wins. A slow call must not undo a later one. */
export function createTurns(): { begin(): Turn } {
  let begun = 0
  let committed = 0
  return {
    begin() {
      begun += 1
      const turn = begun
      return {
        commit() {
          if (turn < committed) return false
          committed = turn
          return true
        },
      }
    },
  }
}
