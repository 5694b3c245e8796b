/** The folders that a folder may import from, in addition to itself. `index` is src/index.ts. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  engine: ['lib'],
  petstore: ['lib', 'engine'],
  index: ['lib', 'engine', 'petstore'],
  snippets: ['lib', 'engine'],
  dashboard: ['lib', 'engine', 'petstore', 'index', 'snippets'],
  reference: ['lib'],
  verify: ['lib', 'engine', 'petstore'],
  pull: ['lib', 'engine', 'petstore', 'verify'],
  replay: ['lib', 'engine', 'petstore', 'verify'],
  client: ['lib', 'engine', 'petstore'],
  'adapters/msw': ['lib', 'engine', 'petstore', 'index'],
  'adapters/node': ['lib', 'engine', 'petstore', 'index', 'adapters/msw'],
  'adapters/browser': ['lib', 'engine', 'petstore', 'index', 'adapters/msw', 'dashboard'],
  'adapters/server': ['lib', 'engine', 'petstore', 'index'],
  ssr: ['engine'],
  assertions: ['lib', 'engine', 'petstore'],
  vitest: ['lib', 'engine', 'petstore', 'index', 'assertions', 'adapters/msw', 'adapters/node'],
  playwright: ['lib', 'engine', 'petstore', 'assertions', 'client', 'adapters/server'],
  vite: ['lib', 'engine', 'adapters/node', 'adapters/browser'],
  cli: [
    'lib',
    'engine',
    'petstore',
    'index',
    'adapters/node',
    'adapters/server',
    'verify',
    'pull',
    'replay',
    'snippets',
  ],
}

/** The pages use the mock over HTTP: they import only types from other folders. */
export const TYPES_ONLY = ['dashboard', 'reference']
