import { expect, it } from 'vitest'
import { CARELESS } from '../support/careless-service.js'
import { differencesOf, expectHarmless, expectPasses, fetchOf, verify } from '../support/verify.js'

it.each(['default', 'empty', 'edge-cases', 'sold-out'] as const)(
  'a mock with the data of %s passes',
  async (scenario) => {
    await expectPasses(scenario)
  },
)

it('a mock passes while other clients change its data', async () => {
  const fetch = fetchOf()
  const reports = await Promise.all([verify(fetch), verify(fetch), verify(fetch, { allowWrites: false })])
  expect(reports.map(differencesOf)).toStrictEqual([[], [], []])
})

it.each(Object.keys(CARELESS))('a service keeps all of its own records even if it %s', expectHarmless)
