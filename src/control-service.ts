import { MOST_CONTROL_BYTES } from './control/limits.js'
import type { Mock } from './control/mock.js'
import type { Service } from './core.js'

type ControlPlane = typeof import('./control/http/index.js')

let plane: ControlPlane | undefined

/** The control plane of a mock. It is loaded when somebody first asks for it: most tests never do, and pages pay for it. */
export function findControlService(mock: Mock): Service | Promise<Service> {
  if (plane) return toService(plane, mock)
  return import('./control/http/index.js').then((loaded) => {
    plane = loaded
    return toService(loaded, mock)
  })
}

function toService({ controlContract, controlHandlers }: ControlPlane, mock: Mock): Service {
  return {
    contract: controlContract(),
    handlers: controlHandlers,
    context: { mock },
    maxBodyBytes: MOST_CONTROL_BYTES,
  }
}
