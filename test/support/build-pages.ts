/** Builds the web pages once before the tests that need them, unless `CI_BUILT` says that they are built. */
import { fileURLToPath } from 'node:url'
import { buildPages } from '../../scripts/pages.js'

export async function setup(): Promise<void> {
  if (process.env.CI_BUILT) return
  await buildPages(fileURLToPath(new URL('../../dist/pages', import.meta.url)))
}
