import type { OnProgress } from '../petstore/fixtures/progress.js'
import type { GenerateSettings } from './flags.js'

/** A world this small is there before a line about it could be read. */
const MANY = 20_000

/** One line that rewrites itself while a large world is generated, and is gone afterwards. */
export function createProgressLine(what: string, write: (text: string) => void): OnProgress {
  let shown = ''
  return (done, total) => {
    if (total < MANY) return
    const line = done === total ? '' : `Generating ${what}: ${Math.floor((100 * done) / total)} %`
    if (line === shown) return
    write(`\r${line.padEnd(shown.length)}${line === '' ? '\r' : ''}`)
    shown = line
  }
}

/** The line as an option of the pet store, where there is a terminal to show it and something large to generate. */
export function progressOption({ pets, orders }: GenerateSettings): { onProgress?: OnProgress } {
  const terminal = process.stdout.isTTY === true && process.stderr.isTTY === true
  const [many, what] = pets === undefined ? [orders, 'orders'] : [pets, 'pets']
  if (!terminal || many === undefined) return {}
  const write = (text: string): void => void process.stderr.write(text)
  return { onProgress: createProgressLine(`${many.toLocaleString('en-US')} ${what}`, write) }
}
