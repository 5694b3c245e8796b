/** The parts of the process that commands use. Only main.ts touches the process itself, so tests can replace them. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  cwd(): string
  /** Starts catching SIGINT and SIGTERM. The returned signal aborts on the first of them. */
  catchSignals(): AbortSignal
}

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean }

/** Resolves when all of the text is written, or when the reader has closed the pipe, as `| head` does. */
export function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') resolve()
      else reject(error)
    })
  })
}

/** NO_COLOR wins (no-color.org), then FORCE_COLOR; without either, a terminal gets colours unless it is `dumb`. */
export function hasColour({ isTTY }: Output, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTTY === true && TERM !== 'dumb'
}

/** Replaces characters that could break the line or control the terminal, and shortens the text. */
export function printable(text: string, maxLength = 300): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean
}
