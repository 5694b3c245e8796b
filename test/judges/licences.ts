import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { count, type Judge } from './judge.js'
import { packBuild, readManifest, unpack } from './packed.js'
import { inFolder, ROOT } from './tools.js'

/** Licences that require only attribution, which `THIRD-PARTY-LICENSES.txt` gives. */
const ALLOWED = 'MIT ISC BSD-2-Clause BSD-3-Clause Apache-2.0 0BSD Python-2.0 BlueOak-1.0.0 CC0-1.0'.split(' ')
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']
/** The bundler's comment above each file; minified code has none. */
const BUNDLED = /^\s*\/\/ node_modules\/(.+)$/gm
/** Package imports that are not type-only. */
const IMPORTED = /^(?:import|export) (?!type )[^'"=(]*from '([@a-z][^':]*)'|\bimport\('([@a-z][^':]*)'\)/gm
const INSTALLED = ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bundledDependencies']

interface LockedPackage {
  readonly dev?: boolean
  readonly license?: string
  readonly hasInstallScript?: boolean
}

/** Checks the licences that users accept, and the scripts that run, when they install the package. */
export const licences: Judge = {
  name: 'licences',
  judge: () =>
    inFolder(async (folder) => {
      const packed = await unpack(await packBuild(), folder)
      const notices = readNotices(join(packed, 'dist/THIRD-PARTY-LICENSES.txt'))
      // Jest is installed by the package tests only.
      const peers = Object.keys((readManifest(packed).peerDependencies ?? {}) as object).filter(
        (name) => name !== 'jest',
      )
      const licensed = [
        ...notices,
        ...peers.map(readInstalled),
        { name: 'the package itself', license: readManifest(packed).license },
      ]
      return {
        figures: `${count(notices.length, 'bundled package')} and ${count(peers.length, 'peer')}, no install scripts`,
        faults: [
          ...licensed
            .filter(({ license }) => !ALLOWED.includes(String(license)))
            .map(({ name, license }) => `${name} has the licence ${license}, which is not among those allowed`),
          ...notices
            .filter(({ name, text }) => text === '' && hasLicenceFile(name))
            .map(({ name }) => `${name} comes without its licence's text`),
          ...findUnnamed(
            packed,
            notices.map(({ name }) => name),
          ),
          ...findInstallScripts(packed),
        ],
      }
    }),
}

interface Notice {
  readonly name: string
  readonly license: string
  readonly text: string
}

/** The build writes `name version (licence)` above each text. */
function readNotices(file: string): readonly Notice[] {
  return readFileSync(file, 'utf8')
    .split(/^-{80}$/m)
    .map((part) => {
      const [head = '', ...rest] = part.trim().split('\n')
      const [, name = head, license = 'unknown'] = /^(\S+) \S+ \((.+)\)$/.exec(head) ?? []
      return { name, license, text: rest.join('\n').trim() }
    })
}

function readInstalled(name: string): { name: string; license: unknown } {
  return { name, license: readManifest(join(ROOT, 'node_modules', name)).license }
}

/** Some packages name their licence but do not include its text. */
function hasLicenceFile(name: string): boolean {
  return readdirSync(join(ROOT, 'node_modules', name)).some((file) => /^licen[cs]e/i.test(file))
}

/** Packages whose code is in the bundles, by the comments there, or imported by the sources, but not in the notices. */
function findUnnamed(packed: string, named: readonly string[]): readonly string[] {
  const bundles = readAll(join(packed, 'dist'), /\.js$/).flatMap((text) => matches(text, BUNDLED))
  const sources = readAll(join(ROOT, 'src'), /\.tsx?$/).flatMap((text) => matches(text, IMPORTED))
  const found = new Set([...bundles, ...sources].map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path))
  const { name, peerDependencies } = readManifest(packed)
  // @jest/globals is a part of Jest, a peer.
  const notBundled = [String(name), ...Object.keys(peerDependencies as object), '@jest/globals']
  for (const each of notBundled) found.delete(each)
  return [...found].filter((name) => !named.includes(name)).map((name) => `${name} is bundled, but its licence is not`)
}

function readAll(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, ...found]) => found.find(Boolean) as string)
}

function findInstallScripts(packed: string): readonly string[] {
  const { scripts = {}, ...manifest } = readManifest(packed)
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const atRunTime = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev)
  return [
    ...INSTALL_SCRIPTS.filter((name) => name in scripts).map((name) => `the package has a script ${name}`),
    ...INSTALLED.filter((field) => Object.keys((manifest[field] ?? {}) as object).length > 0).map(
      (field) => `the package has ${field}, but everything it needs is bundled`,
    ),
    ...atRunTime
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => `${path} is installed at run time and has an install script`),
    ...atRunTime
      .filter(([, { license }]) => !ALLOWED.includes(license ?? ''))
      .map(([path, { license }]) => `${path} is installed at run time and has the licence ${license}`),
  ]
}
