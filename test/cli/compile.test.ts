import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { runCommand } from '../support/command.js'
import { document } from '../support/library-document.js'
import { useFolder } from '../support/test-folder.js'

const { folder, createFile } = useFolder()

const FILE = createFile('library.json', JSON.stringify(document))
const OUTPUT = join(folder, 'library.compiled.mjs')

it('writes a module with the document and its validators, of a document or of a service file', async () => {
  expect(await runCommand(['compile', FILE, '-o', OUTPUT])).toMatchObject({ code: 0, stdout: '', stderr: '' })
  const compiled = await import(pathToFileURL(OUTPUT).href)
  expect(compiled.document).toEqual(document)
  expect(Object.keys(compiled.validators.functions).length).toBeGreaterThan(5)
  const { stdout } = await runCommand(['compile', FILE])
  expect(readFileSync(OUTPUT, 'utf8')).toBe(stdout)

  // The sources stand in for the installed package.
  const entry = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)
  const code = `import { defineService } from ${entry}\nexport default defineService({ document: ${JSON.stringify(document)} })`
  const service = createFile('library.service.mjs', code)
  expect((await runCommand(['compile', service])).stdout).toBe(stdout)
})

it('refuses another kind of file, and replaces none', async () => {
  expect(await runCommand(['compile', FILE, '-o', join(folder, 'library.json')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--output must be a file name that ends in .js, .mjs, .ts, .mts.'),
  })
  const existing = createFile('existing.js', 'mine')
  expect((await runCommand(['compile', FILE, '-o', existing])).stderr).toContain('File exists.')
  expect(readFileSync(existing, 'utf8')).toBe('mine')
  expect((await runCommand(['compile'])).stderr).toContain('compile requires an OpenAPI document or a service file')
})
