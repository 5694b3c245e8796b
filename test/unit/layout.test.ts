import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

// --- The table ---

/** Which rooms a room may import from, besides itself and the clock's port, which is open to all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  contract: [],
  model: ['contract'],
  fixtures: ['contract', 'model'],
  operations: ['contract', 'model'],
  control: ['contract', 'model', 'fixtures', 'operations'],
  core: ['contract', 'model', 'fixtures', 'operations', 'control'],
  dashboard: ['contract'],
  reference: [],
  interception: ['contract', 'core'],
  node: ['contract', 'core', 'interception'],
  browser: ['contract', 'fixtures', 'core', 'interception', 'dashboard'],
  server: ['contract', 'control', 'core'],
  verify: ['contract'],
  cli: ['contract', 'fixtures', 'control', 'core', 'server', 'verify'],
  vitest: ['contract', 'control', 'core', 'interception', 'node'],
}

/** The rooms that talk HTTP to the mock: of what they may import they use the types alone. */
const TYPES_ONLY = ['dashboard', 'reference']

/** Besides what reads ids as they were sent: a browser's own reader would round them. */
const READER = 'src/lib/json.ts'

/** The only rooms that may import a package. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'openapi-backend': ['contract'],
  '@mswjs/data': ['model'],
  '@faker-js/faker': ['fixtures'],
  msw: ['interception', 'node', 'browser'],
  vitest: ['vitest'],
  yaml: ['cli'],
  preact: ['dashboard'],
  'swagger-ui-dist': ['reference'],
}

/** The rooms that run on Node only; every other one runs in a browser too. */
const NODE_ROOMS = ['server', 'cli', 'node', 'vitest']

/** What may be used in few places, and where: a room, or a file. */
const RESTRICTED: readonly { readonly names: readonly string[]; readonly where: readonly string[] }[] = [
  { names: ['process', 'Buffer'], where: NODE_ROOMS },
  {
    names: ['Date.now', 'new Date()', 'performance.now', 'Math.random'],
    where: ['src/lib/clock.ts', 'src/lib/random.ts'],
  },
  { names: ['process.exit', 'process.stdout', 'process.stderr'], where: ['cli'] },
  { names: ['process.exitCode'], where: ['cli', 'src/vitest/reporter.ts'] },
  { names: ['console'], where: ['cli', 'browser'] },
]

// --- Reading the sources ---

type Sources = ReadonlyMap<string, string>

interface Facts {
  /** As they are written: a relative path, a package, or a module of Node. Types and dynamic imports included. */
  readonly imports: readonly string[]
  /** Those of the imports that only types come from. */
  readonly typeImports: ReadonlySet<string>
  readonly uses: ReadonlySet<string>
}

function readSources(): Sources {
  const folder = new URL('../../src/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  return new Map(
    files.map((file) => [`src/${file.replaceAll('\\', '/')}`, readFileSync(new URL(file, folder), 'utf8')]),
  )
}

function factsOf(file: string, text: string): Facts {
  const uses = new Set<string>()
  const typeImports = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const object = node.expression.getText()
      uses.add(object === 'globalThis' ? node.name.text : `${object}.${node.name.text}`)
    } else if (ts.isNewExpression(node) && node.arguments?.length === 0) {
      uses.add(`new ${node.expression.getText()}()`)
    } else if (ts.isIdentifier(node) && !isMemberName(node)) {
      uses.add(node.text)
    } else if (
      ts.isImportDeclaration(node) &&
      node.importClause?.isTypeOnly &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      typeImports.add(node.moduleSpecifier.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  const imports = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
  return { imports, typeImports, uses }
}

/** Whether a name says which member is meant, so that it is no use of a global of that name. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  const isAccessed = ts.isPropertyAccessExpression(parent) && parent.name === node
  return isAccessed || ((ts.isPropertyAssignment(parent) || ts.isTypeElement(parent)) && parent.name === node)
}

function roomOf(file: string): string {
  const [, folder = '', ...deeper] = file.split('/')
  if (deeper.length > 0) return folder
  return file === 'src/lib/clock.ts' || file === 'src/lib/random.ts' ? 'clock' : 'core'
}

const isRelative = (name: string) => name.startsWith('.')

function targetOf(file: string, name: string): string {
  return posix.join(posix.dirname(file), name).replace(/\.js$/, '.ts')
}

/** `@scope/name/deeper` is of the package `@scope/name`. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}

// --- Holding them to the table ---

function findViolations(sources: Sources): string[] {
  const facts = new Map([...sources].map(([file, text]) => [file, factsOf(file, text)]))
  return [
    ...[...facts].flatMap(([file, { imports }]) => imports.flatMap((name) => checkImport(file, name))),
    ...[...facts].flatMap(([file, { imports, typeImports }]) =>
      imports.filter((name) => !typeImports.has(name)).flatMap((name) => checkTypesOnly(file, name)),
    ),
    ...[...facts].flatMap(([file, { uses }]) => checkUses(file, uses)),
    ...findCycles(facts),
  ]
}

function checkImport(file: string, name: string): string[] {
  const room = roomOf(file)
  const allowed = MAY_IMPORT[room]
  if (allowed === undefined) return [`${file} is in a room that the table does not have`]
  if (isRelative(name)) {
    const other = roomOf(targetOf(file, name))
    return [room, 'clock', ...allowed].includes(other) ? [] : [`${file} imports ${name}: ${room} may not use ${other}`]
  }
  const rooms = name.startsWith('node:') ? NODE_ROOMS : (PACKAGES[packageOf(name)] ?? [])
  return rooms.includes(room) ? [] : [`${file} imports ${name}: ${room} may not use that`]
}

function checkTypesOnly(file: string, name: string): string[] {
  const room = roomOf(file)
  const target = targetOf(file, name)
  const isOwn = !isRelative(name) || target === READER || [room, 'clock'].includes(roomOf(target))
  return TYPES_ONLY.includes(room) && !isOwn ? [`${file} imports ${name}: ${room} may use its types only`] : []
}

function checkUses(file: string, uses: ReadonlySet<string>): string[] {
  return RESTRICTED.flatMap(({ names, where }) =>
    where.includes(roomOf(file)) || where.includes(file)
      ? []
      : names.filter((name) => uses.has(name)).map((name) => `${file} uses ${name}: only ${where.join(', ')} may`),
  )
}

function findCycles(facts: ReadonlyMap<string, Facts>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file)
    if (start >= 0) cycles.push([...trail.slice(start), file].join(' imports '))
    if (start >= 0 || done.has(file)) return
    // A file with markup in it is imported by the same name.
    const { imports = [] } = facts.get(file) ?? facts.get(`${file}x`) ?? {}
    for (const name of imports.filter(isRelative)) visit(targetOf(file, name), [...trail, file])
    done.add(file)
  }
  for (const file of facts.keys()) visit(file, [])
  return cycles
}

// --- Tests ---

describe('the house', () => {
  const sources = readSources()

  it('has the rooms of the table', () => {
    expect(sources.size).toBeGreaterThan(40)
    expect([...sources.keys()].filter((file) => MAY_IMPORT[roomOf(file)] === undefined)).toEqual([])
  })

  it('keeps to the table', () => {
    expect(findViolations(sources)).toEqual([])
  })

  it('has a table without circles', () => {
    const order = Object.keys(MAY_IMPORT)
    for (const [room, others] of Object.entries(MAY_IMPORT)) {
      for (const other of others)
        expect(order.indexOf(other), `${room} imports ${other}`).toBeLessThan(order.indexOf(room))
    }
  })
})

describe('the check', () => {
  const check = (files: Record<string, string>) => findViolations(new Map(Object.entries(files)))

  it.each([
    ['an import to the right', 'src/model/a.ts', "import { b } from '../operations/b.js'"],
    ['a type from the right', 'src/contract/a.ts', "import type { B } from '../model/b.js'"],
    ['a type that is named in place', 'src/contract/a.ts', "type B = import('../model/b.js').B"],
    ['a dynamic import', 'src/fixtures/a.ts', "const b = () => import('../control/b.js')"],
    ['an export from the right', 'src/contract/a.ts', "export { b } from '../core.js'"],
    ['an import for its effects', 'src/operations/a.ts', "import '../server/b.js'"],
    ['an import across adapters', 'src/server/a.ts', "import { b } from '../node/b.js'"],
    ['a room that is not in the table', 'src/utils/a.ts', "import { b } from './b.js'"],
    ['the library of the contract', 'src/engine/pipeline.ts', "import { OpenAPIRouter } from 'openapi-backend'"],
    ['a type of the library of the contract', 'src/model/a.ts', "import type { Document } from 'openapi-backend'"],
    ['the compiler of schemas', 'src/contract/a.ts', "import { Ajv } from 'ajv'"],
    ['the library of the model', 'src/fixtures/a.ts', "import { factory } from '@mswjs/data/lib/x.js'"],
    ['the library of the fixtures', 'src/operations/a.ts', "import { faker } from '@faker-js/faker/locale/en'"],
    ['code where types alone are allowed', 'src/dashboard/a.tsx', "import { quote } from '../contract/errors.js'"],
    ['the library of the dashboard', 'src/browser/a.ts', "import { render } from 'preact'"],
    ['the library of the reference', 'src/dashboard/a.tsx', "import 'swagger-ui-dist/swagger-ui.css'"],
    ['a package that is not in the table', 'src/engine/pipeline.ts', "import lodash from 'lodash'"],
    ['a module of Node', 'src/contract/a.ts', "import { readFileSync } from 'node:fs'"],
    ['the process', 'src/control/a.ts', 'const env = process.env'],
    ['the process by another way', 'src/control/a.ts', 'const env = globalThis.process'],
    ['a Buffer', 'src/engine/fetch/fetch.ts', 'export const size = (text: string) => Buffer.byteLength(text)'],
    ['a Buffer as a type', 'src/engine/fetch/fetch.ts', 'export let bytes: Buffer | undefined'],
    ['the time', 'src/operations/a.ts', 'const at = Date.now()'],
    ['the time by another way', 'src/server/a.ts', 'const at = new Date()'],
    ['chance', 'src/fixtures/a.ts', 'const chance = Math.random'],
    ['printing', 'src/server/a.ts', "console.log('ready')"],
    ['writing', 'src/node/a.ts', "process.stdout.write('ready')"],
    ['exiting', 'src/server/a.ts', 'process.exit(1)'],
  ])('finds %s', (_, file, text) => {
    expect(check({ [file]: text })).toEqual([expect.stringContaining(file)])
  })

  it('finds files that import each other, however long the way round', () => {
    const files = {
      'src/model/a.ts': "import './b.js'",
      'src/model/b.ts': "import type { C } from './c.js'",
      'src/model/c.ts': "export * from './a.js'",
    }
    expect(check(files)).toEqual([
      'src/model/a.ts imports src/model/b.ts imports src/model/c.ts imports src/model/a.ts',
    ])
  })

  it('finds nothing in what is allowed', () => {
    const files = {
      'src/lib/clock.ts': 'export const now = () => Date.now()',
      'src/contract/a.ts':
        "import { now } from '../clock.js'\nimport { OpenAPIRouter } from 'openapi-backend/router.js'\n// not process.exit, Date.now\n",
      'src/model/b.ts': "import { a } from '../contract/a.js'\nconst said = 'console.log(process)'\n",
      'src/model/c.ts': 'const time = { process: 1, now: new Date(0) }.process\n',
      'src/cli/main.ts': "import 'node:util'\nimport '../server/d.js'\nconsole.log(process.argv)\nprocess.exit(0)\n",
      'src/server/d.ts': "import '../core.js'\nconst size = Buffer.byteLength(process.title)\n",
      'src/dashboard/e.tsx': "import { h } from 'preact'\nimport type { A } from '../contract/a.js'\nimport './f.js'\n",
      'src/engine/pipeline.ts': "import './model/b.js'\nimport './model/c.js'\n",
    }
    expect(check(files)).toEqual([])
  })
})
