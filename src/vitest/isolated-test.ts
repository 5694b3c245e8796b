import { TestRunner, test } from 'vitest'
import { keepIntercepting } from '../adapters/node/interceptor.js'
import { runInScope } from '../adapters/node/listeners.js'

/** The suites, and files, whose tests are isolated. */
const isolatedSuites = new WeakSet<object>()

/** The tests with a mock. Others may be in the same suite. */
const isolatedTests = new WeakSet<object>()

/** Makes each test of a suite run in its own scope (see `runInScope`), including its hooks and fixtures. */
function isolateSuite(collector: ReturnType<typeof TestRunner.getCurrentSuite>): void {
  const suite = collector.suite ?? collector.file
  if (isolatedSuites.has(suite)) return
  isolatedSuites.add(suite)
  // Registered here, not with vitest's function `aroundEach`, which sets up the fixtures before it calls its hook.
  collector.on('aroundEach', (runTest, { task }) => {
    keepIntercepting(isolatedTests.has(task))
    return runInScope(runTest)
  })
  collector.on('afterAll', () => keepIntercepting(false))
}

/**
 * vitest's `test`, with each test in its own scope. Suites are isolated when they declare a test, and not only when this
 * module is imported, because with `isolate: false` all test files share one import.
 */
export const isolatedTest = TestRunner.createTaskCollector(function (
  this: ThisParameterType<typeof test.fn>,
  ...args: Parameters<typeof test.fn>
) {
  const collector = TestRunner.getCurrentSuite()
  isolateSuite(collector)
  test.fn.apply(this, args)
  const declared = collector.tasks.at(-1)
  if (declared !== undefined) isolatedTests.add(declared)
})

// At import as well, so that this is the outermost hook of the file.
isolateSuite(TestRunner.getCurrentSuite())
