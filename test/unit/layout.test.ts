import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { MAY_IMPORT, TYPES_ONLY } from '../support/source-layout.js'

// --- The layout, in addition to test/support/source-layout.ts ---

/** Constants, and what follows from them alone. These files import nothing but types. */
const PURE = [
  'src/http/header-rules.ts',
  'src/engine/rules/fault-kind.ts',
  'src/http/sandbox-headers.ts',
  'src/http/methods.ts',
]

/** Exceptions: pure files, the requests of the admin API, requests as code, JSON and YAML with exact ids, times, addresses, and the storage of a browser. */
const SHARED_WITH_PAGES = [
  ...PURE,
  'src/tools/snippets/index.ts',
  'src/tools/snippets/request.ts',
  'src/tools/snippets/exchange.ts',
  'src/tools/snippets/override.ts',
  'src/lib/json.ts',
  'src/lib/json-text.ts',
  'src/lib/yaml.ts',
  'src/lib/clock.ts',
  'src/lib/time.ts',
  'src/lib/text.ts',
  'src/lib/time.ts',
  'src/lib/text.ts',
  'src/lib/time.ts',
  'src/lib/environment.ts',
  'src/engine/admin/request.ts',
]

/** The only folders, or files, that may import a package. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'openapi-backend': ['document/schema', 'document/validate'],
  ajv: ['document/validate'],
  '@mswjs/data': ['engine/store', 'src/lib/stored.ts'],
  '@faker-js/faker': ['petstore/fixtures', 'src/document/sample/words.ts'],
  msw: ['adapters/msw', 'adapters/node', 'adapters/browser'],
  '@jest/globals': ['runners/jest'],
  expect: ['runners/jest'],
  vitest: ['runners/vitest'],
  '@playwright/test': ['runners/playwright'],
  vite: ['runners/vite'],
  '@modelcontextprotocol/sdk': ['mcp'],
  '@peculiar/x509': ['adapters/server/tls'],
  yaml: ['src/lib/yaml.ts'],
  preact: ['dashboard'],
  'swagger-ui-dist': ['dashboard/reference'],
}

/** These folders run on Node only; all others run in a browser, too. */
const NODE_ONLY = [
  'adapters/server',
  'adapters/node',
  'src/adapters/certificates.ts',
  'adapters/upstream',
  'runners/jest',
  'runners/vitest',
  'runners/playwright',
  'runners/vite',
  'cli',
  'src/mcp/stdio.ts',
]

/** Globals that may be used in few places: folders or files. */
const RESTRICTED: readonly { readonly names: readonly string[]; readonly where: readonly string[] }[] = [
  { names: ['process', 'Buffer'], where: [...NODE_ONLY, 'document/load'] },
  {
    names: ['Date.now', 'new Date()', 'Math.random', 'performance.now'],
    where: ['src/lib/clock.ts', 'src/lib/random.ts'],
  },
  { names: ['process.exit', 'process.stdout', 'process.stderr'], where: ['cli'] },
  { names: ['process.exitCode'], where: ['cli', 'src/runners/vitest/reporter.ts'] },
  { names: ['console'], where: ['cli', 'adapters/browser', 'adapters/node', 'runners/playwright', 'runners/vitest'] },
]

/** Words of the Pet Store API, which only these folders and files may know. */
const DOMAIN_WORDS = ['pet', 'pets', 'order', 'orders', 'category', 'categories', 'inventory']
const KNOWS_DOMAIN = ['petstore']
const isDomainWord = (word: string) => DOMAIN_WORDS.includes(word)

/** The name of an option of Vite, and of query parameters that say how to sort. */
const FOREIGN_WORDS: Readonly<Record<string, readonly string[]>> = {
  'src/runners/vite/index.ts': ['order'],
  'src/document/words/list-parameters.ts': ['order'],
}

// --- Reading the sources ---

type Sources = ReadonlyMap<string, string>

interface Facts {
  /** As written in the source: a relative path, a package or a Node module. Includes types and dynamic imports. */
  readonly imports: readonly string[]
  /** The type-only imports. */
  readonly typeImports: ReadonlySet<string>
  readonly uses: ReadonlySet<string>
  /** The names and texts in the source, without comments. */
  readonly texts: ReadonlySet<string>
}

function readSources(name = /\.tsx?$/): Sources {
  const folder = new URL('../../src/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => name.test(file))
  return new Map(
    files.map((file) => [`src/${file.replaceAll('\\', '/')}`, readFileSync(new URL(file, folder), 'utf8')]),
  )
}

function factsOf(file: string, text: string): Facts {
  const uses = new Set<string>()
  const texts = new Set<string>()
  const typeImports = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) texts.add(node.text)
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
  if (needsParsing(file, text)) visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  const imports = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
  return { imports, typeImports, uses, texts }
}

const NAMES = RESTRICTED.flatMap(({ names }) => names)

/** Parsing is slow, so it is limited to the files in which there may be something to find. */
function needsParsing(file: string, text: string): boolean {
  if (TYPES_ONLY.includes(folderOf(file)) || NAMES.some((name) => text.includes(name))) return true
  return mustNotKnowDomain(file) && /pet|order|categor|inventor/i.test(text)
}

const isGenerated = (file: string) => file.startsWith('src/generated/')

/** Generated files repeat the documents. */
function mustNotKnowDomain(file: string): boolean {
  return !isIn(file, KNOWS_DOMAIN) && !isGenerated(file)
}

/** Whether a name is that of a property, and so not a use of a global with that name. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  const isAccessed = ts.isPropertyAccessExpression(parent) && parent.name === node
  return isAccessed || ((ts.isPropertyAssignment(parent) || ts.isTypeElement(parent)) && parent.name === node)
}

const FOLDERS = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length)

/** The folder of a file, as named in `MAY_IMPORT`. A generated one counts as part of the folder that its path names. */
function folderOf(file: string): string {
  const path = file.replace(/^src\/(generated\/)?/, '').replace(/\.tsx?$/, '')
  return FOLDERS.find((folder) => path === folder || path.startsWith(`${folder}/`)) ?? posix.dirname(path)
}

const isIn = (file: string, folders: readonly string[]) =>
  folders.some((folder) => file === folder || file.startsWith(`src/${folder}/`))

const isRelative = (name: string) => name.startsWith('.')

function targetOf(file: string, name: string): string {
  return posix.join(posix.dirname(file), name).replace(/\.js$/, '.ts')
}

/** `@scope/name/deeper` belongs to the package `@scope/name`. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}

// --- Checking the layout ---

function findViolations(sources: Sources): string[] {
  const facts = new Map([...sources].map(([file, text]) => [file, factsOf(file, text)]))
  return [
    ...[...facts].flatMap(([file, { imports }]) => imports.flatMap((name) => checkImport(file, name))),
    ...[...facts].flatMap(([file, { imports, typeImports }]) =>
      imports.filter((name) => !typeImports.has(name)).flatMap((name) => checkTypesOnly(file, name)),
    ),
    ...[...facts].flatMap(([file, { uses }]) => checkUses(file, uses)),
    ...[...facts].flatMap(([file, { texts }]) => checkWords(file, texts, sources.get(file) ?? '')),
    ...findCycles(facts),
  ]
}

function checkImport(file: string, name: string): string[] {
  const folder = folderOf(file)
  const allowed = MAY_IMPORT[folder]
  if (allowed === undefined) return [`${file} is in a folder that the layout does not have`]
  if (isRelative(name)) {
    const other = folderOf(targetOf(file, name))
    return [folder, ...allowed].includes(other) ? [] : [`${file} imports ${name}: ${folder} may not import ${other}`]
  }
  const folders = name.startsWith('node:') ? NODE_ONLY : (PACKAGES[packageOf(name)] ?? [])
  return isIn(file, folders) ? [] : [`${file} imports ${name}, which it may not`]
}

function checkTypesOnly(file: string, name: string): string[] {
  const folder = folderOf(file)
  if (!TYPES_ONLY.includes(folder) || !isRelative(name)) return []
  const target = targetOf(file, name)
  const isAllowed = folderOf(target) === folder || SHARED_WITH_PAGES.includes(target)
  return isAllowed ? [] : [`${file} imports ${name}: ${folder} may import its types only`]
}

function checkUses(file: string, uses: ReadonlySet<string>): string[] {
  return RESTRICTED.flatMap(({ names, where }) =>
    isIn(file, where)
      ? []
      : names.filter((name) => uses.has(name)).map((name) => `${file} uses ${name}: only ${where.join(', ')} may`),
  )
}

/** In comments, `order` may mean a sequence. */
function checkWords(file: string, texts: ReadonlySet<string>, source: string): string[] {
  if (!mustNotKnowDomain(file)) return []
  const comments = (source.match(/\/\*[\s\S]*?\*\/|\/\/.*$/gm) ?? []).flatMap(wordsOf)
  const found = new Set([
    ...[...texts].flatMap(wordsOf).filter(isDomainWord),
    ...comments.filter((word) => isDomainWord(word) && !word.startsWith('order')),
  ])
  const foreign = FOREIGN_WORDS[file] ?? []
  return [...found]
    .filter((word) => !foreign.includes(word))
    .map((word) => `${file} contains "${word}": only ${KNOWS_DOMAIN.join(', ')} may know the Pet Store API`)
}

/** `countOpenOrders` is `count`, `open` and `orders`. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

function findCycles(facts: ReadonlyMap<string, Facts>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file)
    if (start >= 0) cycles.push([...trail.slice(start), file].join(' imports '))
    if (start >= 0 || done.has(file)) return
    // A .tsx file is imported with the same name as a .ts file.
    const { imports = [] } = facts.get(file) ?? facts.get(`${file}x`) ?? {}
    for (const name of imports.filter(isRelative)) visit(targetOf(file, name), [...trail, file])
    done.add(file)
  }
  for (const file of facts.keys()) visit(file, [])
  return cycles
}

// --- Tests ---

describe('the source layout', () => {
  const sources = readSources()

  it('has one file at the root of src', () => {
    expect(sources.size).toBeGreaterThan(40)
    expect([...sources.keys()].filter((file) => file.split('/').length === 2)).toEqual(['src/index.ts'])
  })

  it('has no import in the wrong direction, no Pet Store words outside of its folder, and no cycles', () => {
    expect(findViolations(sources)).toEqual([])
  })

  it.each([
    ['Json', 'src/lib/values.ts'],
    ['METHODS', 'src/http/methods.ts'],
    ['typesOf', 'src/document/schema/facts.ts'],
    ['itemsOf', 'src/document/schema/facts.ts'],
    ['schemaAt', 'src/document/schema/facts.ts'],
    ['NAME_MAPS', 'src/document/schema/keywords.ts'],
    ['Discriminator', 'src/document/schema/discriminator.ts'],
    ['DocumentOperation', 'src/document/schema/route.ts'],
    ['Parameter', 'src/document/validate/parameters.ts'],
  ])('declares %s in %s, and exports no other', (name, file) => {
    const declares = new RegExp(`^export (type|interface|const|function) ${name}\\b`, 'm')
    expect([...sources].filter(([, text]) => declares.test(text)).map(([each]) => each)).toEqual([file])
  })

  it('has no Pet Store words in the markup of its pages', () => {
    const pages = readSources(/\.html$/)
    expect(pages.size).toBe(2)
    for (const [file, text] of pages) expect([file, ...wordsOf(text).filter(isDomainWord)]).toEqual([file])
  })

  it.each(PURE)('has constants for the pages in %s, which imports nothing but types', (file) => {
    const text = sources.get(file) ?? ''
    expect(text).toContain('export ')
    expect(text.match(/import(?! type )/)).toBeNull()
  })

  it('allows imports in one direction only', () => {
    const order = Object.keys(MAY_IMPORT)
    for (const [folder, others] of Object.entries(MAY_IMPORT)) {
      for (const other of others) {
        expect(order.indexOf(other), `${folder} imports ${other}`).toBeLessThan(order.indexOf(folder))
      }
    }
  })
})

it('nothing that generates imports a generated module', async () => {
  const { metafile } = await build({
    entryPoints: ['generate', 'make-fixtures', 'schemas'].map((script) => `scripts/${script}.ts`),
    absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'unused',
    write: false,
    metafile: true,
  })
  const inputs = Object.keys(metafile.inputs)
  expect(inputs).toContain('src/document/resources/read-resources.ts')
  expect(inputs.filter(isGenerated)).toEqual([])
})

describe('the tree of docs/architecture.md', () => {
  const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
  const named: string[] = []
  const parents: string[] = []
  for (const [, indent = '', name = ''] of page.matchAll(/^ {4}( *)([\w.-]+\/?)(?: {2,}\S|$)/gm)) {
    const depth = indent.length / 2
    parents.splice(depth, Number.POSITIVE_INFINITY, name)
    named.push(parents.slice(0, depth + 1).join(''))
  }
  const inSource = named.filter((name) => name.startsWith('src/'))

  it('has every folder, and no other', () => {
    const folders = new Set([...readSources().keys()].map((file) => `${posix.dirname(file)}/`))
    const shown = inSource.filter((name) => name.endsWith('/') && name !== 'src/generated/')
    const isEmpty = (name: string) => !folders.has(name) && ![...folders].some((folder) => folder.startsWith(name))
    expect(shown.filter(isEmpty)).toEqual([])
    expect([...folders].filter((name) => !shown.includes(name) && !isGenerated(name) && name !== 'src/')).toEqual([])
  })

  it('has them in the order of the imports', () => {
    const order = Object.keys(MAY_IMPORT).filter((folder) => MAY_IMPORT.petstore?.includes(folder))
    const shown = inSource.map((name) => name.replace(/^src\/|\/$|\.ts$/g, ''))
    expect(shown.filter((name) => order.includes(name))).toEqual(order)
  })
})

describe('the check of the layout', () => {
  const check = (files: Record<string, string>) => findViolations(new Map(Object.entries(files)))

  it.each([
    ['an import in the wrong direction', 'src/engine/mock/a.ts', "import { b } from '../../petstore/b.js'"],
    ['an inline type in the wrong direction', 'src/http/a.ts', "type B = import('../petstore/b.js').B"],
    ['an export in the wrong direction', 'src/engine/store/a.ts', "export { b } from '../crud/b.js'"],
    ['an import for its effects', 'src/petstore/a.ts', "import '../cli/b.js'"],
    [
      'a generated module of another folder',
      'src/engine/mock/a.ts',
      "import { b } from '../../generated/petstore/b.js'",
    ],
    ['an import into the tables of words', 'src/document/words/a.ts', "import { b } from '../../lib/b.js'"],
    ['an import between adapters', 'src/adapters/server/a.ts', "import { b } from '../node/b.js'"],
    ['an import between tools', 'src/tools/pull/a.ts', "import { b } from '../verify/b.js'"],
    ['a tool that imports its user', 'src/tools/server/a.ts', "import { b } from '../verify/b.js'"],
    ['a folder outside the layout', 'src/utils/a.ts', "import { b } from './b.js'"],
    ['a second importer of openapi-backend', 'src/engine/mock/a.ts', "import { OpenAPIRouter } from 'openapi-backend'"],
    ['code where only types are allowed', 'src/dashboard/a.tsx', "import { quote } from '../lib/quote.js'"],
    ['an unknown package', 'src/engine/mock/a.ts', "import lodash from 'lodash'"],
    ['a module of Node', 'src/http/a.ts', "import { readFileSync } from 'node:fs'"],
    ['process through globalThis', 'src/engine/control/a.ts', 'const env = globalThis.process'],
    ['new Date()', 'src/adapters/server/a.ts', 'const at = new Date()'],
    ['a pet word in a name', 'src/engine/mock/a.ts', 'const openOrders = 1'],
    ['a pet word in a comment', 'src/engine/mock/a.ts', '// The inventory is full.'],
    ['a pet word outside of the engine', 'src/cli/a.ts', "const flag = '--pets'"],
  ])('finds %s', (_, file, text) => {
    expect(check({ [file]: text })).toEqual([expect.stringContaining(file)])
  })

  it('finds import cycles of any length', () => {
    const files = {
      'src/http/a.ts': "import './b.js'",
      'src/http/b.ts': "import type { C } from './c.js'",
      'src/http/c.ts': "export * from './a.js'",
    }
    expect(check(files)).toEqual(['src/http/a.ts imports src/http/b.ts imports src/http/c.ts imports src/http/a.ts'])
  })
})
