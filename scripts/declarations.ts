import { execFileSync } from 'node:child_process'
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const TYPES = `${root}dist/types`

/**
 * Writes the types of the entries to dist/types. Those of the CommonJS entries are copied to dist/cjs/types: the
 * package.json of dist/cjs tells the compiler that they describe CommonJS modules. Entries are paths of source files.
 */
export async function buildDeclarations(entries: readonly string[], commonJs: readonly string[]): Promise<void> {
  const compiler = ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json']
  execFileSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' })
  const needed = await findNeeded(entries)
  const files = (await readdir(TYPES, { recursive: true })).filter((file) => file.endsWith('.d.ts'))
  for (const file of files.filter((each) => !needed.has(each))) await rm(`${TYPES}/${file}`)
  for (const file of await findNeeded(commonJs)) await cp(`${TYPES}/${file}`, `${root}dist/cjs/types/${file}`)
}

/** The declaration files of the entries, and all that they import. */
async function findNeeded(entries: readonly string[]): Promise<ReadonlySet<string>> {
  const needed = new Set(entries.map((entry) => entry.replace(/^src\/(.*)\.ts$/, '$1.d.ts')))
  // Grows during the loop.
  for (const file of needed) {
    const text = await readFile(`${TYPES}/${file}`, 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from |import |import\()['"](\..*?)\.js['"]/g)) {
      needed.add(posix.join(posix.dirname(file), `${path}.d.ts`))
    }
  }
  return needed
}
