import { X509Certificate } from 'node:crypto'
import { styleText } from 'node:util'
import type { ListeningServer, RequestRecord, ServerOptions } from '../adapters/server/index.js'
import { findExampleRequest } from '../engine/admin/example-request.js'
import type { Coverage } from '../engine/log/coverage.js'
import type { AnyService } from '../engine/mock/define-service.js'
import type { Mock } from '../engine/mock/mock.js'
import type { ServiceSummary } from '../engine/mock/summary.js'
import { describeUpstream, passesWrites, upstreamLine } from '../engine/pipeline/describe-upstream.js'
import { version } from '../generated/lib/version.js'
import { formatCoverage } from '../runners/terminal.js'
import type { ChosenService } from './choose-service.js'
import { builtInService } from './choose-service.js'
import { count, printable } from './io.js'
import type { NotReloaded, Reloaded } from './reload.js'
import { describeCounts, startLines } from './start-lines.js'

/** What `serve` reports. With `--log-format json`, one object per line. */
export type ServeEvent =
  | ReturnType<typeof readyEvent>
  | (RequestRecord & { readonly event: 'request' })
  | Reloaded
  | NotReloaded
  | { readonly event: 'stopping' }
  | (Coverage & { readonly event: 'coverage'; readonly service: string | undefined })

/** A service that is served, and what the mock understood of it, unless it is built in. */
export interface DescribedService extends ChosenService {
  readonly summary?: ServiceSummary
}

/** Without a token that the user has chosen, since it is a secret. */
export function readyEvent(
  { url, host, port, adminToken: token, certificate: cert, certificateFile: file }: ListeningServer,
  mock: Mock<AnyService>,
  services: readonly DescribedService[],
  given: Pick<ServerOptions, 'adminToken' | 'httpsCert' | 'httpsClientCa'>,
  fixtures: string | undefined,
  addresses: readonly string[],
) {
  const [first] = services
  const isOne = first?.name === undefined
  const { seed, scenario } = mock.options
  const scheme = new URL(url).protocol
  // Without encryption a client cannot show its certificate.
  const httpUrl = cert !== undefined && given.httpsClientCa === undefined ? url.replace(/^https/, 'http') : undefined
  const certificate = cert === undefined ? undefined : describeCertificate(cert, file, given.httpsCert === undefined)
  const networkUrls = addresses.length > 0 ? addresses.map((address) => `${scheme}//${address}:${port}`) : undefined
  const adminToken = given.adminToken === undefined ? token : undefined
  return {
    event: 'ready',
    url,
    httpUrl,
    networkUrls,
    host,
    port,
    version,
    seed,
    scenario,
    fixtures,
    adminToken,
    certificate,
    service: isOne && first?.service !== builtInService ? first?.service.title : undefined,
    understood: isOne ? first?.summary : undefined,
    services: isOne
      ? undefined
      : services.map(({ name, service, summary }) => ({
          name,
          title: service.title,
          url: `${url}/${name}`,
          understood: summary,
        })),
    upstream: first && mock.upstream && describeUpstream(mock.upstream, first.service.operations),
  } as const
}

function describeCertificate(pem: string, file: string | undefined, isOwn: boolean) {
  return { file, sha256: new X509Certificate(pem).fingerprint256, isOwn }
}

/** A text for people, without a trailing newline. */
export function formatEvent(event: ServeEvent, colour: boolean, services: readonly DescribedService[]): string {
  const paint = (style: 'dim' | 'green' | 'magenta' | 'red' | 'yellow', text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text
  switch (event.event) {
    case 'ready': {
      const { url, httpUrl, networkUrls = [], scenario, seed, fixtures, adminToken, certificate, upstream } = event
      const data = `${fixtures === undefined ? '' : `${fixtures} over `}scenario ${scenario}, seed ${seed}`
      const [first] = services
      const example = first && findExampleRequest(first.service)?.target
      const names = services.flatMap(({ name = [] }) => name)
      const width = Math.max(...names.map((name) => name.length), LABEL_WIDTH)
      return [
        `petstore-mock ${version} is ready ${paint('dim', `(${data})`)}`,
        ...(names.length > 0 ? services.map((each) => serviceLine(url, each, width)) : [`  API        ${url}`]),
        ...(httpUrl === undefined ? [] : [`  HTTP       ${httpUrl}`]),
        ...networkUrls.map((each) => `  Network    ${each}`),
        `  Dashboard  ${url}/__admin/`,
        `  Reference  ${url}${pathOf(first)}/docs`,
        ...(upstream
          ? [paint(passesWrites(upstream) ? 'yellow' : 'green', `  Upstream   ${clean(upstreamLine(upstream))}`)]
          : []),
        ...(adminToken === undefined ? [] : [`  Token      ${adminToken} ${paint('dim', '(for /__admin)')}`]),
        ...(certificate === undefined ? [] : certificateLines(certificate)),
        `  Try        curl '${httpUrl ?? url}${pathOf(first)}${printable(example ?? '/')}'`,
        ...(names.length > 0 ? [] : notesOf(first)).map((line) => `  ${line}`),
      ].join('\n')
    }
    case 'request': {
      const {
        at,
        method,
        target,
        sandbox,
        isNewSandbox,
        evictedSandbox,
        operation = '-',
        status,
        code,
        violations = [],
        upstream,
        fault,
        durationMs,
        failure,
      } = event
      const style = status === 0 || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
      const line = [
        // The time of day, in UTC.
        paint('dim', at.slice(11, 19)),
        method.padEnd(7),
        paint(style, status === 0 ? '---' : String(status)),
        clean(operation).padEnd(15),
        clean(target),
        ...(sandbox === undefined ? [] : [paint('dim', `[${sandbox}${isNewSandbox ? ', new' : ''}]`)]),
        paint('dim', `${durationMs.toFixed(1)} ms`),
        ...(code === undefined ? [] : [paint(style, clean(code))]),
        ...(upstream === undefined ? [] : [paint('dim', `upstream ${upstream.outcome}`)]),
        ...(fault === undefined ? [] : [paint('magenta', ['fault', fault.id, fault.kind].filter(Boolean).join(' '))]),
        ...(failure === undefined ? [] : [paint('red', clean(String(failure).replaceAll(/\s+/g, ' ')))]),
      ].join(' ')
      const lines = [
        line,
        ...(upstream?.reason === undefined ? [] : [`    ${clean(upstream.reason)}`]),
        ...violations.map((violation) => `    ${upstream ? 'request: ' : ''}${clean(violation)}`),
        ...(upstream?.violations ?? []).map((violation) => `    response: ${clean(violation)}`),
      ]
      if (evictedSandbox !== undefined) lines.push(`    ${paint('yellow', describeEviction(evictedSandbox))}`)
      return lines.join('\n')
    }
    case 'reloaded':
      return event.service === undefined ? `Reloaded ${event.fixtures} and reset the data.` : reloadedLines(event)
    case 'not-reloaded':
      return event.problems.map((line) => `petstore-mock: Not reloaded, the data is unchanged. ${line}`).join('\n')
    case 'stopping':
      return paint('dim', 'Stopping after the requests in progress.')
    case 'coverage': {
      const table = formatCoverage(event, { colour })
      return event.service === undefined ? table : `${event.service}\n${table}\n`
    }
  }
}

/** Not shortened: names of the document, and what clients and services have sent. */
const clean = (text: string) => printable(text, Number.POSITIVE_INFINITY)

const MAX_DROPPED = 10

function reloadedLines({ service = '', kept = 0, dropped = [] }: Reloaded): string {
  const data = kept === 0 ? '' : ` and kept ${count(kept, 'record')}`
  const more = dropped.length - MAX_DROPPED
  return [
    `Reloaded ${printable(service)}${data}.${dropped.length === 0 ? '' : ' Dropped:'}`,
    ...dropped.slice(0, MAX_DROPPED).map((line) => `    ${printable(line)}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ].join('\n')
}

const LABEL_WIDTH = 'Dashboard'.length

function serviceLine(url: string, { name = '', service, summary }: DescribedService, width: number): string {
  const counts = summary === undefined ? '' : `: ${describeCounts(summary)}`
  return `  ${name.padEnd(width)}  ${url}/${name}  ${printable(service.title)}${counts}`
}

const pathOf = (service: DescribedService | undefined) => (service?.name === undefined ? '' : `/${service.name}`)

function notesOf(service: DescribedService | undefined): string[] {
  return service?.summary === undefined ? [] : startLines(service.summary, service.file ?? '')
}

function describeEviction(name: string): string {
  return `Deleted sandbox ${name} and its data: there were more than --max-sandboxes, and it was the least recently used.`
}

/** What a client needs in order to trust the server. */
function certificateLines({ file, sha256, isOwn }: ReturnType<typeof describeCertificate>): string[] {
  const lines = [`  Cert       ${file ?? 'in no file: the cache folder is not writable'}`, `  SHA-256    ${sha256}`]
  if (!isOwn || file === undefined) return lines
  return [
    ...lines,
    `  Trust it   NODE_EXTRA_CA_CERTS='${file}', curl --cacert '${file}', or use mkcert with --https-cert`,
  ]
}
