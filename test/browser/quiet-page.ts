import 'msw'
import { afterAll, beforeAll, expect } from 'vitest'
import { commands } from 'vitest/browser'

// As in the build: @mswjs/data must not pass writes on to other pages. msw opens its own channel when it is loaded.
Reflect.deleteProperty(globalThis, 'BroadcastChannel')

/** Fails a test file if the page prints an error or a warning. */
beforeAll(() => commands.watchPage())
afterAll(async () => expect(await commands.takePageErrors()).toEqual([]))
