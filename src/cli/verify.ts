import { NotVerifiable } from '../verify/recognise.js'
import type { Report } from '../verify/report.js'
import { verifyService } from '../verify/verify.js'
import { hasColour } from './colour.js'
import type { VerifySettings } from './flags.js'
import { printable } from './printable.js'
import { toJson, toJunit, toText } from './verify-report.js'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const PRINTERS: Readonly<Record<VerifySettings['format'], (report: Report) => string>> = {
  text: (report) => toText(report, hasColour(process.stdout, process.env)),
  json: toJson,
  junit: toJunit,
}

/** Prints how a service compares with the contract. Returns the exit code: 1 where it differs or cannot be asked. */
export async function verify(baseUrl: string, { format, timeout, ...settings }: VerifySettings): Promise<number> {
  const stop = new AbortController()
  const onSignal = (): void => {
    // The second signal is not caught any more and ends the process at once.
    for (const signal of SIGNALS) process.off(signal, onSignal)
    stop.abort()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    const report = await verifyService({ baseUrl, ...settings, timeoutMs: timeout, fetch, signal: stop.signal })
    process.stdout.write(PRINTERS[format](report))
    return report.failed > 0 || stop.signal.aborted ? 1 : 0
  } catch (error) {
    if (!(error instanceof NotVerifiable)) throw error
    process.stderr.write(`petstore-mock: ${printable(error.message)}\n`)
    return 1
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
