import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generateModules } from '../../scripts/generate.js'

const root = new URL('../../', import.meta.url)
const modules = await generateModules()

it.each([...modules.keys()])('%s is up to date', (path) => {
  const file = new URL(path, root)
  const isUpToDate = existsSync(file) && readFileSync(file, 'utf8') === modules.get(path)
  expect(isUpToDate, `${path} is out of date: run \`npm run generate\``).toBe(true)
})

it('leaves nothing in the folders of generated modules that it does not make', () => {
  const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
  const generated = files
    .filter((file) => /generated.+\.ts$/.test(file))
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
  expect(generated.sort()).toEqual([...modules.keys()].filter((path) => path.startsWith('src/')).sort())
})
