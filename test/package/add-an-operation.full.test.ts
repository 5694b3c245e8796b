import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root, run } from '../support/packed.js'

/** A fenced block of the page: its language, optionally a file, and its text. */
interface Block {
  readonly language: string
  readonly file: string
  readonly text: string
}

const page = await readFile(join(root, 'docs/add-an-operation.md'), 'utf8')
const blocks: Block[] = [...page.matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$/gms)].map(
  ([, language = '', file = '', text = '']) => ({ language, file, text }),
)

/** The files that the page says list the operations. */
const listing = [...page.matchAll(/^\| `(test\/[\w/.-]+)` \|/gm)].map(([, file]) => file as string)

let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'petstore-mock-operation-'))
  const isSource = (path: string) => !/(?:^|\/)(?:node_modules|dist|artefacts|\.git)$/.test(path)
  await cp(root, copy, { recursive: true, filter: isSource })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  // Only what the page changes, because compiling the rest would double the time.
  const config = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'))
  const include = ['src', 'test/behaviour/pet-orders.test.ts']
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify({ ...config, include }))
})

afterAll(() => rm(copy, { recursive: true, force: true }))

it('the steps of the page work, block by block', async () => {
  for (const { language, file, text } of blocks) {
    if (language === 'diff') await change(file, text)
    else if (file !== '') await writeFile(join(copy, file), text)
    else for (const line of text.trim().split('\n')) await runCommand(line)
  }
  expect(blocks.map(({ language }) => language)).toEqual(expect.arrayContaining(['diff', 'ts', 'sh']))
})

it('only the tests that the page names fail', async () => {
  // Without those that need a build, a process or a browser.
  const named = listing.filter((file) => /^test\/(?:unit|behaviour)\//.test(file))
  expect(named.length).toBeGreaterThan(3)
  const others = ['test/unit/fixture-schema.test.ts', 'test/behaviour/pet-orders.test.ts']
  expect(await findFailing([...named, ...others])).toEqual(named.sort())
  expect(await findFailing(['test/unit/docs-reference.long.test.ts'], 'vitest.long.config.ts')).toEqual([])
})

it('the new operation is verified like the others', async () => {
  await writeFile(join(copy, 'verify.ts'), VERIFY)
  const { stdout } = await run('npx', ['tsx', 'verify.ts'], { cwd: copy, env })
  expect(JSON.parse(stdout)).toMatchObject({ operation: 'listPetOrders', differences: [] })
})

it('the page names only existing tests', () => {
  expect(listing.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

const VERIFY = `
  import { createPetstore } from './src/index.js'
  import { verifiedPetstore } from './src/petstore/verify/service.js'
  import { verifyService } from './src/remote/verify/verify.js'

  const petstore = createPetstore({ scenario: 'empty' })
  const fetch = (url, init) => petstore.fetch(new Request(url, init))
  const options = { baseUrl: 'http://localhost', headers: [], timeoutMs: 10_000 }
  const { groups } = await verifyService(verifiedPetstore(), { ...options, fetch })
  const added = groups.flatMap(({ operations }) => operations).find(({ operation }) => operation === 'listPetOrders')
  console.log(JSON.stringify(added))
`

/** Without colours and without the variables of the test runner. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$)/.test(name))),
  NO_COLOR: '1',
}

/** Applies a diff. Its old text must occur exactly once. */
async function change(file: string, diff: string): Promise<void> {
  const lines = diff.trimEnd().split('\n')
  const side = (sign: string) =>
    lines.filter((line) => ` ${sign}`.includes(line.charAt(0))).map((line) => line.slice(1))
  const text = await readFile(join(copy, file), 'utf8')
  const parts = `\n${text}`.split(`\n${side('-').join('\n')}\n`)
  expect(parts, `${file} has what the block of the page starts from once`).toHaveLength(2)
  await writeFile(join(copy, file), parts.join(`\n${side('+').join('\n')}\n`).slice(1))
}

/** Runs a command of the page, which must succeed. */
async function runCommand(line: string): Promise<void> {
  const { failed, printed } = await attempt(line)
  expect(failed, `${line}\n${printed}`).toBe(false)
}

function attempt(command: string): Promise<{ failed: boolean; printed: string }> {
  const [program = '', ...args] = command.split(' ')
  return new Promise((resolve) => {
    execFile(program, args, { cwd: copy, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, printed: stdout + stderr }),
    )
  })
}

/** The test files among these in which a test fails. */
async function findFailing(files: readonly string[], config = 'vitest.config.ts'): Promise<string[]> {
  await attempt(`npx vitest run --config ${config} ${files.join(' ')} --reporter json --outputFile report.json`)
  const { testResults } = JSON.parse(await readFile(join(copy, 'report.json'), 'utf8')) as {
    testResults: { name: string; status: string }[]
  }
  expect(testResults).toHaveLength(files.length)
  const failing = testResults.filter(({ status }) => status !== 'passed').map(({ name }) => name)
  return files.filter((file) => failing.some((name) => name.endsWith(file))).sort()
}
