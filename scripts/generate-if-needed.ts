/**
 * Generates src/generated, unless it was made from the same documents, fixtures, code and packages. `npm ci` runs this, and
 * so does what needs the modules: the build, the type check and the configuration of every test suite.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))
const GENERATOR = 'scripts/generate.ts'
/** Says what the folder was made from. */
const ORIGIN = `${root}src/generated/made-from.txt`

export async function generateIfNeeded(): Promise<void> {
  const origin = await findOrigin()
  if (readIfExists(ORIGIN) === origin) return
  // If it is interrupted, the next run starts again.
  rmSync(ORIGIN, { force: true })
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', GENERATOR], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('src/generated could not be made. The reason is above.')
  writeFileSync(ORIGIN, origin)
}

/** The hash of the files that the generator reads, and of its own code with all that it imports. */
async function findOrigin(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [GENERATOR],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const hash = createHash('sha256')
  for (const { text } of outputFiles) hash.update(text)
  const folders = ['spec', 'fixtures'].flatMap((folder) =>
    readdirSync(root + folder).map((name) => `${folder}/${name}`),
  )
  for (const file of [...folders.sort(), 'package.json', 'package-lock.json']) {
    hash.update(`\n${file}\n`).update(readFileSync(root + file))
  }
  return `${hash.digest('hex')}\n`
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await generateIfNeeded()
