/** Wraps a task so that it never runs twice at once. Calls made during a run cause one more run. */
export function oneAtATime(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let again = false
  async function run(): Promise<void> {
    try {
      while (again) {
        again = false
        await task()
      }
    } finally {
      running = undefined
    }
  }
  return () => {
    again = true
    running ??= run()
    return running
  }
}

/** Wraps a function so that a burst of calls becomes one call, `delayMs` after the first of them. */
export function batched(call: () => unknown, delayMs: number): (() => void) & { cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      call()
    }, delayMs)
  }
  return Object.assign(schedule, { cancel: () => clearTimeout(timer) })
}
