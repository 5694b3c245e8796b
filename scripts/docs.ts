/** Generates the documentation pages that repeat the code and the OpenAPI documents. `npm run generate` runs it last; a test compares. */
import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { adminPage } from './docs-admin.js'
import { referencePage } from './docs-reference.js'

/** Every generated page by its path in the project. */
export async function generatePages(): Promise<Map<string, string>> {
  return new Map([
    ['docs/reference.md', await referencePage()],
    ['docs/admin-api.md', await adminPage()],
  ])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of await generatePages()) await writeFile(new URL(`../${path}`, import.meta.url), text)
}
