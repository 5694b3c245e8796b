import type { Flags } from '../src/cli/flags.js'
import { codes } from './docs-markdown.js'

/** How a flag is written: `-p`, `--port <number>`. */
export function flagForms(flags: Flags, name: string): string {
  const { short, value } = flags[name] ?? {}
  const long = `--${name}${value === undefined ? '' : ` <${value}>`}`
  return codes(short === undefined ? [long] : [`-${short}`, long])
}
