/**
 * Publishes the package. `npm run release` is a dry run: it builds, runs `npm publish --dry-run`, and prints the contents
 * of the package and what is missing for a release. `npm run release -- --publish` also runs the tests and the judges,
 * publishes with provenance and sets the tag, if nothing is missing.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findObstacles, type Manifest, tagOf } from './release-checks.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const PUBLISH = ['publish', '--provenance', '--access', 'public']

/** npm's description of a packed package. */
interface Packed {
  readonly size: number
  readonly unpackedSize: number
  readonly integrity: string
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

const flags = process.argv.slice(2)
if (flags.some((flag) => flag !== '--publish')) {
  console.error(`Unknown flag. Available: --publish. Received: ${flags.join(' ')}`)
  process.exit(2)
}
const isReal = flags.includes('--publish')
const manifest: Manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const obstacles = findObstacles({
  manifest,
  changes: readFileSync(`${root}CHANGELOG.md`, 'utf8'),
  uncommitted: outputOf('git', ['status', '--porcelain']),
  tags: outputOf('git', ['tag', '--list']).split('\n'),
})
if (isReal && obstacles.length > 0) {
  for (const obstacle of obstacles) console.error(`FAIL ${obstacle}`)
  process.exit(1)
}

run('npm', ['run', '--silent', 'build'])
if (isReal) run('npm', ['run', '--silent', 'test:full'])
describe(dryRun())
if (isReal) publish()
else conclude()

/** Does everything that publishing does, except the upload. */
function dryRun(): Packed {
  const output = JSON.parse(
    outputOf('npm', [...PUBLISH, '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']),
  )
  // Some versions of npm nest the output below the name of the package.
  return output.files ? output : output[manifest.name]
}

function describe({ size, unpackedSize, integrity, files }: Packed): void {
  console.log(`${manifest.name} ${manifest.version}, ${files.length} files`)
  console.log(`  ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${integrity.slice(0, 20)}…`)
  const folders = new Map<string, number[]>()
  for (const file of files) {
    const folder = file.path.split('/').slice(0, -1).slice(0, 2).join('/')
    folders.set(folder, [...(folders.get(folder) ?? []), file.size])
  }
  for (const [folder, sizes] of [...folders].sort()) {
    const sum = sizes.reduce((total, each) => total + each, 0)
    const count = String(sizes.length).padStart(4)
    const noun = sizes.length === 1 ? 'file ' : 'files'
    console.log(`  ${(folder || '(root)').padEnd(20)} ${count} ${noun} ${kilobytes(sum).padStart(9)}`)
  }
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000).toLocaleString('en')} KB`
}

function publish(): void {
  // Without prepack, so that the build that was tested is published.
  run('npm', [...PUBLISH, '--ignore-scripts'])
  run('git', ['tag', tagOf(manifest)])
  console.log(`Published. Now push the tag: git push origin ${tagOf(manifest)}`)
}

function conclude(): void {
  console.log(`Dry run: nothing was published. With --publish the tag would be ${tagOf(manifest)}.`)
  for (const obstacle of obstacles) console.log(`  Before publishing: ${obstacle}`)
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: root, stdio: 'inherit' })
}

/** The output of a program. Empty if git fails, for example in a copy without history. */
function outputOf(program: 'git' | 'npm', args: readonly string[]): string {
  try {
    return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  } catch (error) {
    if (program === 'git') return ''
    throw new Error(`npm ${args.join(' ')} failed: ${(error as { stderr?: string }).stderr ?? error}`)
  }
}
