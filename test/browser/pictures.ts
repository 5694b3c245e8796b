import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Where tests leave pictures for people to look at. Git ignores it. */
const FOLDER = fileURLToPath(new URL('../../artefacts/', import.meta.url))

const WIDTHS = [1280, 800, 390]
const COLOR_SCHEMES = ['light', 'dark'] as const

/** Takes pictures of a view of a page, in three widths and both colour schemes. */
export async function takePictures(page: Page, subject: string, view: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of COLOR_SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // A dialog covers the window, not the whole page.
      const fullPage = (await page.locator('dialog[open]').count()) === 0
      const file = `${view.replaceAll(' ', '-')}-${width}-${colorScheme}.png`
      await page.screenshot({ path: `${FOLDER}${subject}/${file}`, fullPage })
    }
  }
}
