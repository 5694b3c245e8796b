import type { BodyLimits } from '../contract/body.js'
import { MAX_ADMIN_BODY_BYTES } from '../control/limits.js'
import type { Mock } from '../control/mock.js'
import { DEFAULT_LIMITS, type Limits } from '../limits.js'
import type { Service } from '../pipeline.js'

type AdminApi = typeof import('./handlers.js')

let plane: AdminApi | undefined

/** The control plane of a mock. It is loaded when somebody first asks for it: most tests never do, and pages pay for it. */
export function findAdminService(mock: Mock, limits: AdminLimits): Service | Promise<Service> {
  if (plane) return toService(plane, mock, limits)
  return import('./handlers.js').then((loaded) => {
    plane = loaded
    return toService(loaded, mock, limits)
  })
}

type AdminLimits = Pick<Limits, 'maxStateBytes'>

function toService({ adminContract, adminHandlers }: AdminApi, mock: Mock, limits: AdminLimits): Service {
  return {
    contract: adminContract(),
    handlers: adminHandlers,
    toCall: ({ path, query, body }) => ({ mock, path, query, body }),
    bodyLimits: (operation) => (operation === 'replaceState' ? stateLimits(limits) : ADMIN_LIMITS),
  }
}

/** Not the user's: however little the store is to take, a test can still tell it what to do. */
const ADMIN_LIMITS: BodyLimits = {
  maxBodyBytes: MAX_ADMIN_BODY_BYTES,
  maxJsonDepth: DEFAULT_LIMITS.maxJsonDepth,
  maxJsonValues: DEFAULT_LIMITS.maxJsonValues,
}

/** What was exported can be imported: a state holds as many values as fit. */
function stateLimits({ maxStateBytes }: AdminLimits): BodyLimits {
  return { ...ADMIN_LIMITS, maxBodyBytes: maxStateBytes, maxJsonValues: Number.POSITIVE_INFINITY }
}
