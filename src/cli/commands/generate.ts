import { wordsOf } from '../../document/resources/names.js'
import { ALL } from '../../engine/data/record-counts.js'
import type { OnProgress } from '../../engine/data/scenarios.js'
import { formatFixture, formatFixtureAsYaml } from '../../engine/data/write.js'
import { type Service, splitSettings } from '../choose-service.js'
import { createRewrittenLine, type Io } from '../io.js'
import type { GenerateSettings } from '../settings.js'

/** Returns the starting data that `serve` has with the same flags, as a fixture file. */
export async function generate({ format, ...settings }: GenerateSettings, io: Io): Promise<string> {
  const { service, options: given } = await splitSettings(settings)
  const options = service.resolveOptions({ ...given, ...progressOption(given, service, io) })
  const fixture = await service.loadScenario(options)
  const write = format === 'yaml' ? formatFixtureAsYaml : formatFixture
  return write(fixture, service.fixtureFormat.resources)
}

/** Shows the progress on a terminal if a number of records is requested: that of the main resource, or the largest one. */
export function progressOption(
  settings: object,
  service: Service,
  { stdout, stderr }: Io,
): { onProgress?: OnProgress } {
  const { sizes: bySize, ...given } = settings as Settings
  const named = Object.keys(service.defaultSizes).map((name) => [name, given[name] ?? 0] as const)
  const sizes = [...named, ...Object.entries(bySize ?? {})].map(([name, count]) => ({ name, count }))
  const main = sizes.find(({ name, count }) => name === service.mainResource && count > 0)
  const { name, count } = main ?? sizes.reduce((most, each) => (each.count > most.count ? each : most), NOTHING)
  if (!stdout.isTTY || !stderr.isTTY || count === 0) return {}
  const noun = name === ALL ? 'records of each resource' : wordsOf(name).join(' ')
  const records = `${count.toLocaleString('en-US')} ${noun}`
  return { onProgress: createProgressLine(records, (text) => stderr.write(text)) }
}

type Settings = Readonly<Record<string, number | undefined>> & { readonly sizes?: Readonly<Record<string, number>> }

const NOTHING = { name: '', count: 0 }

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
