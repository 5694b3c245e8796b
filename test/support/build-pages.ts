/** Set up once for all tests that look at the web pages: nobody has to have built them before. */
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../scripts/pages.js'

export async function setup(): Promise<void> {
  await buildPages(fileURLToPath(new URL('../../dist/pages', import.meta.url)))
}
