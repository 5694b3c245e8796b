/**
 * Draws the pictures of the documentation that need nothing but the sources. `npm run generate` writes them; a test
 * compares. `npm run pictures` records the others: see record-pictures.ts.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { drawArchitecture } from './pictures/architecture.js'
import { drawBenchmark } from './pictures/benchmark.js'
import { drawCheckOrder } from './pictures/check-order.js'
import { drawLifeCycle } from './pictures/life-cycle.js'
import { inEveryScheme } from './pictures/picture-file.js'

/** Every drawn picture by its path in the project. */
export async function generatePictures(): Promise<Map<string, string>> {
  return new Map([
    ...(await inEveryScheme('architecture', drawArchitecture)),
    ...(await inEveryScheme('benchmark', drawBenchmark)),
    ...(await inEveryScheme('check-order', drawCheckOrder)),
    ...(await inEveryScheme('life-cycle', drawLifeCycle)),
  ])
}

export async function writePictures(
  pictures: Iterable<readonly [path: string, content: string | Buffer]>,
): Promise<void> {
  const root = new URL('../', import.meta.url)
  await mkdir(new URL('docs/pictures/', root), { recursive: true })
  for (const [path, content] of pictures) await writeFile(new URL(path, root), content)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writePictures(await generatePictures())
