import { TestRunner, test } from 'vitest'
import { runInScope } from '../adapters/node/listeners.js'

/** The suites, and files, whose tests are isolated. */
const isolated = new WeakSet<object>()

/** Makes each test of the current suite run in its own scope (see `runInScope`), including its hooks and fixtures. */
function isolateCurrentSuite(): void {
  const collector = TestRunner.getCurrentSuite()
  const suite = collector.suite ?? collector.file
  if (isolated.has(suite)) return
  isolated.add(suite)
  // Registered here, not with vitest's function `aroundEach`, which sets up the fixtures before it calls its hook.
  collector.on('aroundEach', (runTest) => runInScope(runTest))
}

/**
 * vitest's `test`, with each test in its own scope. Suites are isolated when they declare a test, and not only when this
 * module is imported, because with `isolate: false` all test files share one import.
 */
export const isolatedTest = TestRunner.createTaskCollector(function (
  this: ThisParameterType<typeof test.fn>,
  ...args: Parameters<typeof test.fn>
) {
  isolateCurrentSuite()
  test.fn.apply(this, args)
})

// At import as well, so that this is the outermost hook of the file.
isolateCurrentSuite()
