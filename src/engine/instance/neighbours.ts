import { MockError, suggestName } from '../../http/errors.js'
import type { AnyData } from '../data/data.js'
import type { ServiceTypes } from '../service.js'
import type { Instance } from './instance.js'

/** Another service, as handlers use it: its data, and its API. */
export type Neighbour<T extends ServiceTypes> = Pick<Instance<T>, 'data' | 'fetch'>

/** The services beside one about whose types the compiler knows nothing, by name. */
export type AnyNeighbours = Readonly<
  Record<string, Pick<Neighbour<ServiceTypes>, 'fetch'> & { readonly data: AnyData }>
>

/** A mock that handlers of another service can use. */
interface ConnectableMock extends Pick<Neighbour<ServiceTypes>, 'fetch'> {
  readonly data: object
  readonly sandboxes: { open(name: string): object }
}

/** Mocks by the names that handlers have for them. They may be added later: each is looked up when it is used. */
export type ConnectedMocks = Readonly<Record<string, ConnectableMock>>

/** Makes what handlers of the root or a sandbox have of other services. */
export interface Connect {
  (sandbox: string | undefined): object
  /** Their names, and that of the service itself. */
  names(): readonly string[]
}

/** Makes the `services` of the handlers of an instance: the other mocks or, in a sandbox, their sandboxes of its name. */
export function connectTo(mocks: ConnectedMocks): Connect {
  const connect = (sandbox: string | undefined): object =>
    new Proxy(
      {},
      {
        get(_, name) {
          if (typeof name === 'symbol') return undefined
          const mock = Object.hasOwn(mocks, name) ? mocks[name] : undefined
          if (mock === undefined) throw unknownService(name, Object.keys(mocks))
          return sandbox === undefined ? mock : mock.sandboxes.open(sandbox)
        },
      },
    )
  return Object.assign(connect, { names: () => Object.keys(mocks) })
}

function unknownService(name: string, known: readonly string[]): MockError {
  const what = `A handler uses the service "${name}", which is not connected. `
  const hint =
    known.length > 0
      ? suggestName(name, known)
      : 'Create both mocks with createMocks, or serve both: --service shop=shop.js --service billing=billing.yaml.'
  return new MockError('UNKNOWN_SERVICE', what + hint)
}

/** For a mock that is connected to none. */
export const noServices = connectTo({})(undefined)
