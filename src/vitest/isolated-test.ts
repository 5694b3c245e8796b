import { TestRunner, test } from 'vitest'
import { runInScope } from '../adapters/node/interceptor.js'

/** The suites, and files, whose tests are isolated. */
const isolated = new WeakSet<object>()

/** Runs each test of the current suite in its own scope, with its hooks and fixtures. */
function isolateCurrentSuite(): void {
  const collector = TestRunner.getCurrentSuite()
  const suite = collector.suite ?? collector.file
  if (isolated.has(suite)) return
  isolated.add(suite)
  // vitest's `aroundEach` would set up the fixtures before it calls the hook, and so outside of the scope.
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

// The first hook of the file that imports this is the outermost one.
isolateCurrentSuite()
