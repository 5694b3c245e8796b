import { afterAll, beforeAll, expect } from 'vitest'
import { commands } from 'vitest/browser'

/** Fails a test file if the page prints an error or a warning. */
beforeAll(() => commands.watchPage())
afterAll(async () => expect(await commands.takePageErrors()).toEqual([]))
