import { BROWSER_DEFAULTS, BROWSER_EXPECTATIONS } from '../adapters/browser/options.js'
import { splitOptions } from '../adapters/msw/options.js'
import type { AnyService } from '../engine/define-service.js'
import { createMock } from '../engine/mock.js'
import { rejectUnknown } from '../engine/options.js'
import type { ServiceDefinition } from '../engine/service.js'

/** Options of the plugin itself. */
const OWN = ['baseUrl', 'server', 'dashboardKey', 'document', 'service']

/** Options of the mock in the page that the plugin sets, or that are functions. */
const NOT_ACCEPTED = ['worker', 'onNotice', 'onError', 'onProgress']

/** Rejects, as the mock in the page would, where only the console of the browser would show it. */
export async function checkOptions(service: ServiceDefinition<AnyService>, options: object): Promise<void> {
  const pageDefaults = { ...BROWSER_DEFAULTS, ...service.defaultOptions }
  rejectUnknown(options, [...OWN, ...Object.keys(pageDefaults).filter((name) => !NOT_ACCEPTED.includes(name))])
  const pageOptions = Object.fromEntries(Object.entries(options).filter(([name]) => !OWN.includes(name)))
  const { mockOptions } = splitOptions(service, pageOptions, BROWSER_DEFAULTS, BROWSER_EXPECTATIONS)
  await createMock(service, mockOptions).mock.ready
}
