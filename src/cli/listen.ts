import { networkInterfaces } from 'node:os'
import { isAnyAddress, toHostName } from '../adapters/server/host-names.js'
import type { ListeningServer, ListenOptions } from '../adapters/server/index.js'
import { SERVER_DEFAULTS } from '../adapters/server/options.js'
import { type Reload, startMock, startServices } from '../adapters/server/start-server.js'
import { MockError } from '../engine/contract/errors.js'
import type { AnyService, MockOptions } from '../engine/define-service.js'
import { toFileError } from '../engine/document/file-error.js'
import type { Mock } from '../engine/mock.js'
import type { ChosenService } from './choose-services.js'
import { printable } from './io.js'

/** The names of this machine in its networks if the server listens on every address, as in a URL. */
export function networkAddresses(host = ''): string[] {
  if (!isAnyAddress(host)) return []
  const hasIPv6 = toHostName(host) === '[::]'
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all
    .filter(({ internal, family, address }) => !internal && (family === 'IPv4' || (hasIPv6 && !isLinkLocal(address))))
    .map(({ address }) => toHostName(address))
}

/** Such an address needs the name of an interface, which a URL cannot have. */
const isLinkLocal = (address: string): boolean => address.startsWith('fe80:')

/** Errors about the starting data name the file. */
interface FixtureSource {
  readonly file: string | undefined
  readonly bytes?: Uint8Array
}

/** Starts a server of the chosen services. Returns their mocks in the same order. */
export async function listen(
  { file, bytes }: FixtureSource,
  chosen: readonly [ChosenService, ...ChosenService[]],
  options: ListenOptions & MockOptions,
): Promise<{ server: ListeningServer; mocks: [Mock<AnyService>, ...Mock<AnyService>[]]; reload: Reload }> {
  try {
    const [{ name, service }] = chosen
    if (name === undefined) {
      const { server, reload } = await startMock(service, options)
      return { server, mocks: [server.mock], reload }
    }
    const services = Object.fromEntries(chosen.map((each) => [each.name, { service: each.service }]))
    const { server, reload } = await startServices(services, options)
    const mocks = server.mocks as Readonly<Record<string, Mock<AnyService>>>
    // Not the values: an object has names such as "2" in another order.
    return { server, mocks: chosen.map((each) => mocks[each.name ?? '']) as [Mock<AnyService>], reload }
  } catch (error) {
    if (error instanceof MockError && error.code === 'CANNOT_LISTEN') {
      const { host, port } = { ...SERVER_DEFAULTS, ...options }
      const version = await findRunningMock(host, port)
      const running = version === undefined ? '' : ` petstore-mock ${version} is already running there.`
      throw new MockError(error.code, `${error.message}${running} Use --port or --host to listen elsewhere.`)
    }
    throw file === undefined ? error : await toFileError(file, error, bytes)
  }
}

const PROBE_TIMEOUT_MS = 1000

/** The version of the petstore-mock at an address, if there is one. */
async function findRunningMock(host: string, port: number): Promise<string | undefined> {
  try {
    const { headers, body } = await fetch(`http://${toHostName(host)}:${port}/__admin/health`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    await body?.cancel()
    const version = headers.get('X-Petstore-Mock')
    return version === null ? undefined : printable(version)
  } catch {
    return undefined
  }
}
