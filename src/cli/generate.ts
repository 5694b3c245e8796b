import type { OnProgress } from '../engine/data/scenarios.js'
import { formatFixture, formatFixtureAsYaml } from '../engine/data/write.js'
import { petstoreService } from '../petstore/service.js'
import type { DataSettings, GenerateSettings } from './flags.js'
import { createRewrittenLine, type Io } from './io.js'

/** Returns the starting data that `serve` has with the same flags, as a fixture file. */
export async function generate({ format, ...settings }: GenerateSettings, io: Io): Promise<string> {
  const options = petstoreService.resolveOptions({ ...settings, ...progressOption(settings, io) })
  const fixture = await petstoreService.loadScenario(options)
  const write = format === 'yaml' ? formatFixtureAsYaml : formatFixture
  return write(fixture, petstoreService.fixtureFormat.resources)
}

/** Shows the progress on a terminal if a number of records is requested. */
export function progressOption({ pets, orders }: DataSettings, { stdout, stderr }: Io): { onProgress?: OnProgress } {
  const [count, records] = pets === undefined ? [orders, 'orders'] : [pets, 'pets']
  if (!stdout.isTTY || !stderr.isTTY || count === undefined) return {}
  return { onProgress: createProgressLine(`${count.toLocaleString('en-US')} ${records}`, (text) => stderr.write(text)) }
}

/** Fewer records are generated before anyone could read the line. */
const MIN_TOTAL = 20_000

/** A line that is rewritten while data is generated, and erased at the end. */
export function createProgressLine(records: string, write: (text: string) => void): OnProgress {
  const show = createRewrittenLine(write)
  return (done, total) => {
    if (total < MIN_TOTAL) return
    show(done === total ? '' : `Generating ${records}: ${Math.floor((100 * done) / total)} %`)
  }
}
