import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, vi } from 'vitest'
import { createMark, expectNothingRuns } from './examples-project.js'

/** A program of an example that runs until it is stopped. */
export interface RunningExample {
  /** Its output so far. */
  output(): string
  /** Waits until it has printed this. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Stops it, and expects exit code 0 and no remaining processes. Can be called twice. */
  end(): Promise<void>
}

export function startInExample(project: string, command: string, args: readonly string[]): RunningExample {
  const mark = createMark()
  const child = spawn(command, [...args], { cwd: project, env: { ...process.env, ...mark }, stdio: 'pipe' })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const closed = once(child, 'close')

  return {
    output: () => printed,
    async printed(pattern) {
      await vi.waitUntil(() => pattern.test(printed) || hasEnded(child), { timeout: 30_000 })
      return pattern.exec(printed) ?? expect.fail(`${pattern} was not printed:\n${printed}`)
    },
    async end() {
      child.kill('SIGTERM')
      expect(await closed).toEqual([0, null])
      await expectNothingRuns(mark)
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
