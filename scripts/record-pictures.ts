/**
 * Records the pictures of the documentation that show a run: a terminal, a failing test, and the dashboard. Needs curl and
 * Chromium. Usage: `npm run pictures`, which builds first.
 */
import { writeFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { findChromium } from '../test/support/chromium.js'
import { FRAMES_FILE, recordDashboard } from './pictures/dashboard.js'
import { drawFailure, recordFailure } from './pictures/matcher.js'
import { inEveryScheme } from './pictures/picture-file.js'
import { drawTerminal, recordTerminal } from './pictures/terminal.js'
import { writePictures } from './pictures.js'

const run = await recordTerminal()
await writePictures(await inEveryScheme('terminal', (scheme) => drawTerminal(run, scheme)))

const failure = await recordFailure()
await writePictures(await inEveryScheme('matcher', (scheme) => drawFailure(failure, scheme)))

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('Chromium was not found. Install it, or set CHROMIUM_PATH.')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const { pictures, text } = await recordDashboard(browser)
  await writePictures(pictures)
  await writeFile(FRAMES_FILE, text)
} finally {
  await browser.close()
}
