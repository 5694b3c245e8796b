import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import { version } from 'vitest/node'
import { drawFailure, recordFailure } from '../../scripts/pictures/matcher.js'
import { inEveryScheme } from '../../scripts/pictures/picture-file.js'
import { expectUpToDate } from '../support/pictures.js'

const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

// Another version of vitest may print it in another way.
it.skipIf(version !== devDependencies.vitest)(
  'the picture of a failing expectation shows what is printed today',
  // Starts another vitest.
  { timeout: 180_000 },
  async () => {
    const failure = await recordFailure()
    expectUpToDate(await inEveryScheme('matcher', (scheme) => drawFailure(failure, scheme)))
  },
)
