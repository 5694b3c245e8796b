import type { BrowserMock, BrowserPetstore } from '../../adapters/browser/index.js'
import type { AnyService } from '../../engine/mock/define-service.js'

/**
 * The mock that the Vite plugin runs in this page. Undefined where there is none: in a build, in vitest, on a server that
 * renders pages, and with the plugin's option `server`.
 */
// The plugin replaces this module while you develop.
export const mock: BrowserMock<AnyService> | undefined = undefined

/** The same for the built-in service. */
export const petstore: BrowserPetstore | undefined = undefined
