import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { expect, inject, it, onTestFinished } from 'vitest'
import { FRAMES_FILE, playScene } from '../../scripts/pictures/dashboard.js'

it('the pictures of the dashboard show what can be seen today', async () => {
  const browser = await chromium.connect(inject('browser'))
  onTestFinished(() => browser.close())
  const texts: string[] = []
  await playScene(browser, async ({ text }) => void texts.push(text))
  expect(texts.join('\n'), 'If this is intended, run `npm run pictures`.').toBe(readFileSync(FRAMES_FILE, 'utf8'))
})
