import { verifiedPetstore } from '../petstore/verify/service.js'
import { NotRecognised, toRecognised } from '../remote/recognise-service.js'
import type { Report } from '../remote/verify/report.js'
import { type VerifiedService, verifyService } from '../remote/verify/verify.js'
import { builtInService, type Service, splitSettings } from './choose-service.js'
import { nameOf } from './flag-values.js'
import { hasColour, type Io, printable, write } from './io.js'
import type { VerifySettings } from './settings.js'
import { createTrustingFetch } from './trusting-fetch.js'
import { toJson, toJunit, toText } from './verify-report.js'

/** Prints how a service compares with the contract. Returns the exit code. */
export async function verify(
  baseUrl: string,
  { format, headers, timeout: timeoutMs, ca, operations, ignoredHeaders, ...others }: VerifySettings,
  env: NodeJS.ProcessEnv,
  io: Io,
): Promise<number> {
  const formats: Readonly<Record<VerifySettings['format'], (report: Report) => string>> = {
    text: (report) => toText(report, hasColour(io.stdout, env)),
    json: toJson,
    junit: toJunit,
  }
  const { service, options: settings } = await splitSettings(others)
  const allowWrites = settings.readOnly ? false : settings.allowWrites
  try {
    const signal = io.catchSignals()
    const send = ca === undefined ? fetch : createTrustingFetch(ca)
    const report = await verifyService(toVerified(service), {
      baseUrl,
      allowWrites,
      operations: operations && toKnown(operations, service),
      ignoredHeaders,
      headers,
      timeoutMs,
      fetch: send,
      signal,
    })
    await write(io.stdout, formats[format](report))
    return report.failed > 0 || report.changed.length > 0 || signal.aborted ? 1 : 0
  } catch (error) {
    if (!(error instanceof NotRecognised)) throw error
    io.stderr.write(`petstore-mock: ${printable(error.message)}\n`)
    return 1
  }
}

function toVerified(service: Service): VerifiedService {
  if (service === builtInService) return verifiedPetstore()
  const { document, errorCodes } = service
  return { ...toRecognised(service), document, errorCodes, checks: [], onlyDocument: true }
}

function toKnown(operations: readonly string[], { contract }: Service): string[] {
  const { read } = nameOf('operationId', () => contract.operations().map(({ operation }) => operation))
  return operations.map((operation) => read(operation, '--operation') as string)
}
