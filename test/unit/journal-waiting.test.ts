import { expect, it } from 'vitest'
import { createPetstore } from '../../src/index.js'

const GET = { method: 'GET', base: '', headers: {} }
/** More than the regular expression of a filter may read. */
const LONG_TEXT = 'a'.repeat(20_000_001)

it('a filter that takes too long fails for the client that waits, not for those whose requests it looks at', async () => {
  const petstore = createPetstore()
  const match = encodeURIComponent(JSON.stringify({ headers: { 'x-text': { matches: 'b' } } }))
  const waiting = petstore.handle({ ...GET, path: '/__admin/journal', query: `waitMs=60000&match=${match}` })
  // The admin API is loaded when it is used first.
  await petstore.handle({ ...GET, path: '/__admin/health', query: '' })
  const request = { ...GET, path: '/pets/1', query: '', headers: { 'x-text': LONG_TEXT } }
  expect(await petstore.handle(request)).toMatchObject({ response: { status: 200 } })
  expect(await waiting).toMatchObject({ response: { status: 422 }, trace: { code: 'LIMIT_REACHED' } })
  expect(petstore.journal.total).toBe(1)
})
