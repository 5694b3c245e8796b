import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findChromium } from '../support/chromium.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser that all test files connect to. */
    browser: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromium.launchServer({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
  project.provide('browser', browser.wsEndpoint())
  return () => browser.close()
}
