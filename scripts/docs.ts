/** Generates the documentation pages that repeat the code and the OpenAPI documents. `npm run generate` runs it last; a test compares. */
import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { adminPage } from './docs-admin.js'
import { cliPage } from './docs-cli.js'
import { errorsPage } from './docs-errors.js'
import { exportsPage } from './docs-exports.js'
import { operationsPage } from './docs-operations.js'
import { entrySource, optionsPage, readOptions } from './docs-options.js'

/** Every generated page by its path in the project. */
export async function generatePages(): Promise<ReadonlyMap<string, string>> {
  const source = entrySource()
  const options = readOptions(source)
  return new Map([
    ['docs/options.md', optionsPage(options)],
    ['docs/cli.md', cliPage(options)],
    ['docs/operations.md', await operationsPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/exports.md', exportsPage(source)],
    ['docs/admin-api.md', await adminPage()],
  ])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of await generatePages()) await writeFile(new URL(`../${path}`, import.meta.url), text)
}
