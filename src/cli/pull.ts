import { extname } from 'node:path'
import { formatFixture, formatFixtureAsYaml } from '../engine/data/write.js'
import { loadContract } from '../engine/load-contract.js'
import { PullError } from '../remote/pull/pull-error.js'
import { pullHar, pullReproduction } from '../remote/pull/pull-har.js'
import { type Pulled, pullService } from '../remote/pull/pull-service.js'
import { type Service, splitSettings } from './choose-service.js'
import { MAX_FILE_BYTES as maxBytes, readJsonFile } from './fixture-file.js'
import { UsageError } from './flag-values.js'
import { type Io, printable, write } from './io.js'
import { checkOutputFile, writeOutputFile } from './output-file.js'
import { createPageLine, describePulled } from './pull-report.js'
import { readReproductionFile } from './reproduction-file.js'
import type { PullSettings } from './settings.js'
import { createTrustingFetch } from './trusting-fetch.js'

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
