import { it } from 'vitest'
import { inEveryScheme } from '../../scripts/pictures/picture-file.js'
import { drawTerminal, recordTerminal } from '../../scripts/pictures/terminal.js'
import { expectUpToDate } from '../support/pictures.js'
import { hasPrograms } from '../support/programs.js'

it.skipIf(!hasPrograms(['curl'], 'CI_CURL'))('the picture of a terminal shows what is printed today', async () => {
  const run = await recordTerminal()
  expectUpToDate(await inEveryScheme('terminal', (scheme) => drawTerminal(run, scheme)))
})
