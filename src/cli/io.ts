import { fstatSync, writeFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { printable } from '../lib/text.js'

/** A number with its noun: `1 request`, `2 requests`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}

export { escapeInvisible, printable, printableLines, toPrintableJson } from '../lib/text.js'

/** The parts of the process that commands use. Only main.ts touches the process itself, so tests can replace them. */
export interface Io {
  readonly stdin: Readable
  readonly stdout: Output
  readonly stderr: Output
  cwd(): string
  /** Starts catching the signals that end the process. The returned signal aborts on the first of them. */
  catchSignals(): AbortSignal
}

export type Output = Writable & { readonly isTTY?: boolean; readonly fd?: number }

/** The output is incomplete: the disk is full, or the reader has closed the pipe, as `| head` does. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
  override readonly cause: NodeJS.ErrnoException

  constructor(cause: NodeJS.ErrnoException) {
    super(`Cannot write the output: ${cause.message}.`)
    this.cause = cause
  }
}

/** Resolves when all of the text is written. */
export async function write(output: Output, text: string): Promise<void> {
  try {
    // The stream of a file does not report that only the first part of the text fitted on the disk.
    if (output.fd !== undefined && fstatSync(output.fd).isFile()) writeFileSync(output.fd, text)
    else
      await new Promise<void>((resolve, reject) => output.write(text, (error) => (error ? reject(error) : resolve())))
  } catch (error) {
    throw new OutputError(error as NodeJS.ErrnoException)
  }
}

/** A line that takes the place of the one shown before. An empty one erases it. */
export function createRewrittenLine(write: (text: string) => void): (line: string) => void {
  let shown = ''
  return (line) => {
    const clean = printable(line)
    if (clean === shown) return
    write(`\r${clean.padEnd(shown.length)}${clean === '' ? '\r' : ''}`)
    shown = clean
  }
}

/** NO_COLOR wins (no-color.org), then FORCE_COLOR; without either, a terminal gets colours unless it is `dumb`. */
export function hasColour({ isTTY }: Output, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTTY === true && TERM !== 'dumb'
}
