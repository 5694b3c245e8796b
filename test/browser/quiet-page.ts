import { afterAll, beforeAll, expect } from 'vitest'
import { commands } from 'vitest/browser'

/** Every file fails whose tests make the page print an error or a warning. */
beforeAll(() => commands.watchPage())
afterAll(async () => expect(await commands.takeComplaints()).toEqual([]))
