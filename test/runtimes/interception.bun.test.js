import { test } from 'bun:test'
import { request } from 'undici'
import { cases, expectFromNetwork } from './interception.js'

for (const [name, run] of Object.entries(cases)) test(name, run)

test('undici, which Bun replaces with its own, is not intercepted', () =>
  expectFromNetwork(async (url) => ({ text: await (await request(url)).body.text() })))
