import { afterEach } from 'vitest'

/** All files of a run share one process. */
const run = globalThis as { hasFailed?: boolean }

// One failed test is enough to detect a mutant; loading the remaining files would waste time.
if (run.hasFailed) throw new Error('A test of this run has already failed.')

afterEach(({ task }) => {
  if (task.result?.state === 'fail') run.hasFailed = true
})
