import type { BodyLimits } from '../contract/body.js'
import { MOST_CONTROL_BYTES } from '../control/limits.js'
import type { Mock } from '../control/mock.js'
import { DEFAULT_LIMITS, type Limits } from '../limits.js'
import type { Service } from '../pipeline.js'

type ControlPlane = typeof import('./handlers.js')

let plane: ControlPlane | undefined

/** The control plane of a mock. It is loaded when somebody first asks for it: most tests never do, and pages pay for it. */
export function findControlService(mock: Mock, limits: ControlLimits): Service | Promise<Service> {
  if (plane) return toService(plane, mock, limits)
  return import('./handlers.js').then((loaded) => {
    plane = loaded
    return toService(loaded, mock, limits)
  })
}

type ControlLimits = Pick<Limits, 'maxStateBytes'>

function toService({ controlContract, controlHandlers }: ControlPlane, mock: Mock, limits: ControlLimits): Service {
  return {
    contract: controlContract(),
    handlers: controlHandlers,
    toCall: ({ path, query, body }) => ({ mock, path, query, body }),
    bodyLimits: (operation) => (operation === 'replaceState' ? stateLimits(limits) : CONTROL_LIMITS),
  }
}

/** Not the user's: however little the store is to take, a test can still tell it what to do. */
const CONTROL_LIMITS: BodyLimits = {
  maxBodyBytes: MOST_CONTROL_BYTES,
  maxJsonDepth: DEFAULT_LIMITS.maxJsonDepth,
  maxJsonValues: DEFAULT_LIMITS.maxJsonValues,
}

/** What was exported can be imported: a state holds as many values as fit. */
function stateLimits({ maxStateBytes }: ControlLimits): BodyLimits {
  return { ...CONTROL_LIMITS, maxBodyBytes: maxStateBytes, maxJsonValues: Number.POSITIVE_INFINITY }
}
