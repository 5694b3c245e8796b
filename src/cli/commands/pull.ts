import { extname } from 'node:path'
import { formatFixture, formatFixtureAsYaml } from '../../engine/data/write.js'
import { loadContract } from '../../engine/mock/load-contract.js'
import { quote } from '../../lib/text.js'
import { pullHar, pullReproduction } from '../../tools/pull/pull-har.js'
import type { OnPage } from '../../tools/pull/pull-service.js'
import { type Pulled, pullService } from '../../tools/pull/pull-service.js'
import type { Omissions } from '../../tools/pull/record-filter.js'
import { PullError } from '../../tools/pull/require-list.js'
import type { PulledService } from '../../tools/pull/routes.js'
import { countOf, joinWords, pluralOf } from '../../tools/pull/words.js'
import { type Service, splitSettings } from '../choose-service.js'
import {
  checkOutputFile,
  MAX_FILE_BYTES as maxBytes,
  readJsonFile,
  readReproductionFile,
  writeOutputFile,
} from '../files.js'
import { UsageError } from '../flag-values.js'
import { createRewrittenLine, type Io, type Output, printable, write } from '../io.js'
import type { PullSettings } from '../settings.js'
import { createTrustingFetch } from '../trusting-fetch.js'

/** What was written, and what was not, one line each. */
function describePulled(
  { fixture, omissions, notes }: Pulled,
  { fixtureFormat }: PulledService,
  file: string | undefined,
): string[] {
  const pulled = fixtureFormat.resources.map((resource) => ({
    resource,
    records: fixture[resource.name] ?? [],
    omitted: omissions[resource.name] as Omissions,
  }))
  const counts = pulled.map(({ resource, records }) => countOf(resource, records.length))
  const where = file === undefined ? '' : ` to ${file}`
  const dropped = pulled
    .filter(({ omitted }) => omitted.fields.size > 0)
    .map(({ resource, omitted }) => `${[...omitted.fields].map(showName).join(', ')} (${pluralOf(resource)})`)
  const leftOut = pulled
    .filter(({ omitted }) => omitted.count > 0)
    .map(({ resource, omitted: { count, examples } }) => {
      const more = count > examples.length ? `; and ${(count - examples.length).toLocaleString('en-US')} more` : ''
      return `Left out ${countOf(resource, count)}: ${examples.join('; ')}${more}.`
    })
  return [
    `Wrote ${joinWords(counts)}${where}.`,
    ...(dropped.length > 0 ? [`Dropped fields that the OpenAPI document does not have: ${dropped.join(', ')}.`] : []),
    ...leftOut,
    ...notes,
  ]
}

function showName(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : quote(name)
}

/** A line on a terminal that shows how far a list has been read. */
function createPageLine(output: Output): { show: OnPage; erase: () => void } {
  const show = output.isTTY ? createRewrittenLine((text) => output.write(text)) : () => {}
  return {
    show(resource, count, total) {
      const of = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`
      show(`Reading ${pluralOf(resource)}: ${count.toLocaleString('en-US')}${of}`)
    },
    erase: () => show(''),
  }
}

const FORMATS: Readonly<Record<string, typeof formatFixture>> = {
  '.json': formatFixture,
  '.yaml': formatFixtureAsYaml,
  '.yml': formatFixtureAsYaml,
}

const MAX_LINE_LENGTH = 2000

/** Writes the data of a service, or of recorded traffic, as a fixture file. Returns the exit code. */
export async function pull(baseUrl: string, settings: PullSettings, io: Io): Promise<number> {
  const { har, reproduction, output, force = false } = settings
  const format = output === undefined ? formatFixture : FORMATS[extname(output).toLowerCase()]
  if (format === undefined) throw new UsageError('--output must be a file name that ends in .json, .yaml or .yml.')
  if (output !== undefined) checkOutputFile(output, force)
  const report = (line: string): void => void io.stderr.write(`petstore-mock: ${printable(line, MAX_LINE_LENGTH)}\n`)
  const { service } = await splitSettings(settings)
  await loadContract(service.contract)
  try {
    const pulled =
      reproduction !== undefined
        ? pullReproduction(await readReproductionFile(reproduction, service), { service, maxBytes })
        : await (har === undefined ? readService(service, baseUrl, settings, io) : readRecording(service, har, baseUrl))
    const text = format(pulled.fixture, service.fixtureFormat.resources)
    if (output === undefined) await write(io.stdout, text)
    else writeOutputFile(output, text, force)
    describePulled(pulled, service, output).forEach(report)
    return 0
  } catch (error) {
    if (!(error instanceof PullError)) throw error
    const file = har ?? reproduction
    report(file === undefined ? error.message : `${file}: ${error.message}`)
    return 1
  }
}

async function readService(service: Service, baseUrl: string, settings: PullSettings, io: Io): Promise<Pulled> {
  const { headers, timeout: timeoutMs, ca, limit } = settings
  const progress = createPageLine(io.stderr)
  const send = ca === undefined ? fetch : createTrustingFetch(ca)
  const signal = io.catchSignals()
  try {
    return await pullService({
      service,
      baseUrl,
      headers,
      timeoutMs,
      limit,
      maxBytes,
      signal,
      fetch: send,
      onPage: progress.show,
    })
  } finally {
    progress.erase()
  }
}

async function readRecording(service: Service, file: string, baseUrl: string): Promise<Pulled> {
  return pullHar(await readJsonFile(file), { service, baseUrl: baseUrl || undefined, maxBytes })
}
