/**
 * The folders that a folder may import from, in addition to itself. `index` is src/index.ts, `remote` has the files
 * directly in src/remote.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  engine: ['lib'],
  petstore: ['lib', 'engine'],
  index: ['lib', 'engine', 'petstore'],
  snippets: ['lib', 'engine', 'petstore'],
  dashboard: ['lib', 'engine', 'petstore', 'index', 'snippets'],
  reference: ['lib', 'engine'],
  remote: ['lib', 'engine', 'petstore'],
  'remote/client': ['lib', 'engine', 'petstore'],
  'remote/verify': ['lib', 'engine', 'petstore', 'remote'],
  'petstore/verify': ['lib', 'engine', 'petstore', 'remote', 'remote/verify'],
  'remote/pull': ['lib', 'engine', 'petstore', 'remote'],
  'remote/replay': ['lib', 'engine', 'petstore', 'remote'],
  'adapters/msw': ['lib', 'engine', 'petstore', 'index'],
  'adapters/certificates': ['lib', 'engine'],
  'adapters/upstream': ['lib', 'engine', 'adapters/certificates'],
  'adapters/node': ['lib', 'engine', 'petstore', 'index', 'adapters/msw', 'adapters/upstream'],
  'adapters/browser': ['lib', 'engine', 'petstore', 'index', 'adapters/msw', 'dashboard'],
  mcp: ['lib', 'engine', 'remote/client', 'snippets'],
  'adapters/server': ['lib', 'engine', 'petstore', 'index', 'mcp', 'adapters/upstream', 'adapters/certificates'],
  ssr: ['engine'],
  assertions: ['lib', 'engine', 'petstore'],
  terminal: ['lib', 'engine'],
  jest: ['assertions', 'adapters/node'],
  vitest: ['lib', 'engine', 'petstore', 'index', 'assertions', 'adapters/msw', 'adapters/node', 'terminal'],
  playwright: ['lib', 'engine', 'petstore', 'assertions', 'remote/client', 'snippets', 'adapters/server'],
  vite: ['lib', 'engine', 'petstore', 'adapters/msw', 'adapters/browser', 'adapters/server', 'adapters/upstream'],
  cli: [
    'lib',
    'engine',
    'petstore',
    'index',
    'adapters/server',
    'adapters/certificates',
    'adapters/upstream',
    'remote',
    'remote/verify',
    'petstore/verify',
    'remote/pull',
    'remote/replay',
    'snippets',
    'terminal',
    'mcp',
    'vite',
  ],
}

/** The pages use the mock over HTTP: they import only types from other folders. */
export const TYPES_ONLY = ['dashboard', 'reference']
