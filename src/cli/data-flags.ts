import { wordsOf } from '../engine/resources/names.js'
import { SERVICE_DEFAULTS } from '../engine/service-options.js'
import { petstoreService as service } from '../petstore/service.js'
import { type Flag, type Flags, toKebabCase } from './flag.js'
import { COUNT, NAMED_FILE, SIZE, text } from './flag-values.js'

/** What is mocked. */
export const SERVICE_FLAGS: Flags = {
  document: { ...text('file'), help: 'The OpenAPI document of the service (JSON or YAML)' },
  service: { ...text('file'), help: 'The service file of the service, or its OpenAPI document' },
}

/** What is served: one service, or several with names. */
export const SERVED_FLAGS: Flags = {
  document: { ...NAMED_FILE, setting: 'documents', separator: ',', help: 'Mock the service of this OpenAPI document' },
  service: {
    ...NAMED_FILE,
    setting: 'services',
    separator: ',',
    help: 'Mock this service file or document; with a name, one of several',
  },
}

export const DATA_FLAGS: Flags = {
  seed: { ...COUNT, help: `Seed of the generated data (default: ${SERVICE_DEFAULTS.seed})` },
  scenario: { ...text('name'), help: `Starting data, see below (default: ${SERVICE_DEFAULTS.scenario})` },
  ...sizeFlags(),
  size: {
    ...SIZE,
    setting: 'sizes',
    separator: ',',
    combine: Object.fromEntries,
    help: 'Number of records, as in books=200 or all=0 (repeatable)',
  },
}

function sizeFlags(): Flags {
  const flags = Object.entries(service.defaultSizes).map(([name, size]): [string, Flag] => [
    toKebabCase(name),
    { ...COUNT, help: `Number of ${wordsOf(name).join(' ')} (default: ${size})` },
  ])
  return Object.fromEntries(flags)
}
