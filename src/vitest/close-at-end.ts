import type { TestContext } from 'vitest'
import { checkUnlessReported } from '../adapters/node/check-unless-reported.js'

type Ending = Pick<TestContext, 'task' | 'onTestFinished'>

/** Closes a mock when its test has ended. vitest reports an error that is thrown after `use` more than once. */
export function closeAtEnd(mock: { close(): void }, { task, onTestFinished }: Ending): void {
  onTestFinished(() => checkUnlessReported(mock.close, task.result?.errors ?? []))
}
