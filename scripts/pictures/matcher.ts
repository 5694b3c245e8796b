import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseAnsi } from './ansi.js'
import { createCanvas } from './canvas.js'
import type { Scheme } from './palette.js'
import { drawWindow, WINDOW_WIDTH } from './window.js'

const FOLDER = fileURLToPath(new URL('./failing-test/', import.meta.url))
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/** Runs the test that fails, and returns what vitest prints about the failure, with colours. */
export async function recordFailure(): Promise<string> {
  const args = [VITEST, 'run', '--root', FOLDER, '--config', 'vitest.config.ts', '--reporter', 'default']
  const env = { PATH: process.env.PATH, FORCE_COLOR: '1' }
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: FOLDER, env }, (_, stdout, stderr) => resolve(stdout + stderr))
  })
  const lines = output.split('\n')
  const start = lines.findIndex((line) => line.includes(' FAIL '))
  const end = lines.findIndex((line, index) => index > start && line.includes('⎯⎯'))
  if (start < 0 || end < 0) throw new Error(`The test did not fail as expected:\n${output}`)
  return lines.slice(start, end).join('\n').trimEnd()
}

export function drawFailure(failure: string, scheme: Scheme): string {
  const lines = parseAnsi(failure)
  const plain = lines
    .map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trim(),
    )
    .filter(Boolean)
  const canvas = createCanvas(scheme, WINDOW_WIDTH, `What a failing expectation prints: ${plain.join(' ')}`)
  return canvas.finish(drawWindow(canvas, 'npx vitest run', [{ lines }], 0))
}
