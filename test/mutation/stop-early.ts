import { afterEach } from 'vitest'

/** All files of a run share one process, which ends with it. */
const run = globalThis as { hasFailed?: boolean }

// One failed test is enough to know that a mutant was noticed; loading the files that are left would only take time.
if (run.hasFailed) throw new Error('a test of this run has failed already')

afterEach(({ task }) => {
  if (task.result?.state === 'fail') run.hasFailed = true
})
