/** Builds the web pages once before the tests that need them. */
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../scripts/pages.js'

export async function setup(): Promise<void> {
  await buildPages(fileURLToPath(new URL('../../dist/pages', import.meta.url)))
}
