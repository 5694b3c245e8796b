import type { TimeSource } from '../clock.js'
import { openapi } from '../contract/documents.js'
import { version } from '../contract/generated/version.js'
import type { ControlOperationId } from '../contract/types.js'
import type { Handler } from '../operations/operation.js'

/** What the control plane tells of the mock it belongs to. */
export interface MockInfo {
  readonly seed: number
  readonly scenario: () => string
  /** The machine's time: how long the mock runs does not depend on the store's clock. */
  readonly time: TimeSource
}

/** What each operation of the control plane does. */
export function createControlHandlers({ seed, scenario, time }: MockInfo): {
  readonly [O in ControlOperationId]: Handler<O>
} {
  const startedAt = time.now()
  return {
    getHealth: () => ({
      status: 200,
      body: {
        status: 'ok',
        version,
        seed,
        scenario: scenario(),
        specHash: openapi.hash,
        uptimeMs: time.now() - startedAt,
      },
    }),
    getOpenapiYaml: () => ({ status: 200, body: openapi.yaml }),
    getOpenapiJson: () => ({ status: 200, body: openapi.document as never }),
  }
}
