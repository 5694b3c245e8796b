import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import { isFullRun } from './full-run.js'
import { install, root } from './packed.js'

type Versions = Readonly<Record<string, string>>

/** A package.json. */
export interface Manifest {
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly overrides?: Versions
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

const OWN = 'petstore-mock'
const COMMAND = join('.bin', OWN)

/** Other suites install these, or only the full run does. */
const OTHERS = ['bun', 'deno', 'react-offline', ...(isFullRun ? [] : ['ssr'])]

/** Enough for npm on a busy machine. */
const TIMEOUT_MS = 500_000

/**
 * Links the packages of an example, which are installed once for all examples: npm takes about as long for all as for one.
 * The mock itself is copied, so that it finds only the packages of the example. Returns npm's output.
 */
export async function shareInstall(project: string): Promise<string> {
  const manifest = readManifest(project)
  const shared = join(dirname(project), 'shared')
  const report = join(shared, 'report.json')
  // Only the first of the test files that run side by side creates the folder.
  if (mkdirSync(shared, { recursive: true }) !== undefined) {
    const examples = readdirSync(join(root, 'examples')).filter((name) => !OTHERS.includes(name))
    const manifests = examples.map((name) => readManifest(join(root, 'examples', name)))
    writeFileSync(join(shared, 'package.json'), JSON.stringify(joinManifests(manifests, dependenciesOf(manifest)[OWN])))
    const result = await install(shared).then(
      (output) => ({ output }),
      ({ message }: Error) => ({ message }),
    )
    // The others must not read half of it.
    writeFileSync(`${report}.part`, JSON.stringify(result))
    renameSync(`${report}.part`, report)
  }
  await vi.waitUntil(() => existsSync(report), { timeout: TIMEOUT_MS, interval: 100 })
  const { output, message } = JSON.parse(readFileSync(report, 'utf8'))
  if (message !== undefined) throw new Error(message)
  const [from, to] = [join(shared, 'node_modules'), join(project, 'node_modules')]
  const commands = readdirSync(join(from, '.bin')).map((name) => join('.bin', name))
  for (const name of [...commands, ...Object.keys(dependenciesOf(manifest))]) {
    mkdirSync(dirname(join(to, name)), { recursive: true })
    if (name === OWN) cpSync(join(from, name), join(to, name), { recursive: true })
    else symlinkSync(name === COMMAND ? `../${OWN}/dist/cli.js` : join(from, name), join(to, name))
  }
  return output
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const dependenciesOf = ({ dependencies, devDependencies }: Manifest): Versions => ({
  ...dependencies,
  ...devDependencies,
})

function joinManifests(manifests: readonly Manifest[], tarball: string | undefined): Manifest {
  const dependencies: Record<string, string | undefined> = {}
  for (const [name, version] of manifests.flatMap((manifest) => Object.entries(dependenciesOf(manifest)))) {
    if (name !== OWN && version !== (dependencies[name] ?? version)) {
      throw new Error(`The examples depend on different versions of ${name}. Use the same one.`)
    }
    dependencies[name] = version
  }
  return {
    dependencies: { ...dependencies, [OWN]: tarball } as Versions,
    overrides: Object.assign({}, ...manifests.map(({ overrides }) => overrides)),
    allowScripts: Object.assign({}, ...manifests.map(({ allowScripts }) => allowScripts)),
  }
}
