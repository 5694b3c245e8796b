import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { useFolder } from '../support/test-folder.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { folder } = useFolder()
const generated = join(folder, 'src/generated')

beforeAll(() => {
  for (const part of ['scripts', 'spec', 'fixtures', 'src', 'package.json', 'package-lock.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  rmSync(generated, { recursive: true })
})

/** As `npm ci` does. */
const generate = () => execFileSync('npm', ['run', '--silent', 'dependencies'], { cwd: folder, stdio: 'pipe' })
const read = (name: string) => readFileSync(join(generated, name), 'utf8')
const listFiles = () => readdirSync(generated, { recursive: true, encoding: 'utf8' }).sort()

it('makes the same files as in the project where the folder is missing', () => {
  generate()
  const files = listFiles()
  expect(files).toContain(join('petstore', 'openapi-types.ts'))
  expect(files).toEqual(readdirSync(join(root, 'src/generated'), { recursive: true, encoding: 'utf8' }).sort())
})

it('leaves the files as they are where nothing has changed', () => {
  writeFileSync(join(generated, 'lib/version.ts'), '// untouched')
  generate()
  expect(read('lib/version.ts')).toBe('// untouched')
})

it('fails with the reason where the code of the engine that generates does', () => {
  const file = join(folder, 'src/lib/json.ts')
  const code = readFileSync(file, 'utf8')
  writeFileSync(file, `${code}throw new Error('Broken engine')\n`)
  expect(generate).toThrow(/Error: Broken engine.*src\/generated could not be made\. The reason is above\./s)
  writeFileSync(file, code)
})

it('makes the files again after a failure and a changed document, without what is no longer made', () => {
  writeFileSync(join(generated, 'lib/old.ts'), '')
  appendFileSync(join(folder, 'spec/openapi.yaml'), '# Changed\n')
  generate()
  expect(read('petstore/openapi-yaml.ts')).toContain('# Changed')
  expect(read('lib/version.ts')).toContain('export const version')
  expect(existsSync(join(generated, 'lib/old.ts'))).toBe(false)
})
