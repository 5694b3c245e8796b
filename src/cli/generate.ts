import { loadScenario } from '../petstore/fixtures/scenarios.js'
import { formatFixture } from '../petstore/fixtures/write.js'
import { resolveOptions } from '../petstore/options.js'
import type { GenerateSettings } from './flags.js'
import { progressOption } from './progress.js'

/** Prints the world that `serve` would start in with the same flags, and nothing else. */
export async function generate(settings: GenerateSettings): Promise<void> {
  const { scenario, seed, categories, pets, orders, onProgress } = resolveOptions({
    ...settings,
    ...progressOption(settings),
  })
  await print(formatFixture(await loadScenario(scenario, seed, { categories, pets, orders }, onProgress)))
}

/** Resolves when the reader has taken everything, or has left, which is its right: `| head` does. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') resolve()
      else reject(error)
    })
  })
}
