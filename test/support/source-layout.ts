/** What becomes a running mock. Each folder imports from those above it, and from itself. */
const CORE = [
  'lib',
  'http',
  'document/words',
  'document/schema',
  'document/load',
  'document/resources',
  'document/operations',
  'document/validate',
  'document/sample',
  'document/contract',
  'engine/fetch',
  'engine/store',
  'engine/resources',
  'engine/crud',
  'engine/operations',
  'engine/data',
  'engine/options',
  'engine/service',
  'engine/control',
  'engine/rules',
  'engine/log',
  'engine/pipeline',
  'engine/instance',
  'engine/admin',
  'engine/mock',
  'petstore',
  'index',
]

const ENGINE = CORE.slice(0, CORE.indexOf('petstore'))
const ALL = CORE.slice(0, -1)

/**
 * The folders, or files, that each may import from, in addition to itself. A folder without rules of its own has those of the
 * folder it is in. `index` is src/index.ts.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(CORE.map((folder, at) => [folder, CORE.slice(0, at)])),
  // Tables only.
  'document/words': [],
  'tools/snippets': ALL,
  dashboard: [...CORE, 'tools/snippets'],
  'dashboard/reference': ENGINE,
  'tools/server': ALL,
  'tools/client': ALL,
  'tools/verify': [...ALL, 'tools/server'],
  'petstore/verify': [...ALL, 'tools/server', 'tools/verify'],
  'tools/pull': [...ALL, 'tools/server'],
  'tools/replay': [...ALL, 'tools/server'],
  mcp: [...ENGINE, 'tools/client', 'tools/snippets'],
  'adapters/msw': CORE,
  'adapters/certificates': ENGINE,
  'adapters/upstream': [...ENGINE, 'adapters/certificates'],
  'adapters/node': [...CORE, 'adapters/msw', 'adapters/upstream'],
  'adapters/browser': [...CORE, 'adapters/msw', 'dashboard'],
  'adapters/server': [...CORE, 'mcp', 'adapters/upstream', 'adapters/certificates'],
  'runners/ssr': ['http'],
  'runners/assertions': ALL,
  'runners/terminal': ENGINE,
  'runners/jest': ['runners/assertions', 'adapters/node'],
  'runners/vitest': [...CORE, 'runners/assertions', 'adapters/msw', 'adapters/node', 'runners/terminal'],
  'runners/playwright': [...ALL, 'runners/assertions', 'tools/client', 'tools/snippets', 'adapters/server'],
  'runners/vite': [...ALL, 'adapters/msw', 'adapters/browser', 'adapters/server', 'adapters/upstream'],
  cli: [
    ...CORE,
    'adapters/server',
    'adapters/certificates',
    'adapters/upstream',
    'tools/server',
    'tools/verify',
    'petstore/verify',
    'tools/pull',
    'tools/replay',
    'tools/snippets',
    'runners/terminal',
    'mcp',
    'runners/vite',
  ],
}

/** The pages use the mock over HTTP: they import only types from other folders. */
export const TYPES_ONLY = ['dashboard', 'dashboard/reference']
