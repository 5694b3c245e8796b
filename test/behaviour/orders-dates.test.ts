import { it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { expectError, expectResponse, expectUnchanged, openClient, shop } from '../support/client.js'

const VALID = [
  ['2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123Z'],
  ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000Z'],
  ['2024-01-01T00:00:00.5Z', '2024-01-01T00:00:00.500Z'],
  ['2024-01-01t00:00:00z', '2024-01-01T00:00:00.000Z'],
  ['2024-01-01T00:00:00-00:00', '2024-01-01T00:00:00.000Z'],
  ['2024-01-01T00:00:00+00:00', '2024-01-01T00:00:00.000Z'],
  ['2024-01-01T00:30:00+01:30', '2023-12-31T23:00:00.000Z'],
  ['2023-12-31T23:00:00-05:45', '2024-01-01T04:45:00.000Z'],
  ['2024-01-01T12:00:00+23:59', '2023-12-31T12:01:00.000Z'],
  ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
] as const

const INVALID: readonly (readonly [title: string, shipDate: unknown])[] = [
  ['a 30th of February', '2024-02-30T00:00:00Z'],
  ['a leap day outside a leap year', '2023-02-29T00:00:00Z'],
  ['a leap day of a century that is no leap year', '1900-02-29T00:00:00Z'],
  ['a 31st of April', '2024-04-31T00:00:00Z'],
  ['day 0', '2024-01-00T00:00:00Z'],
  ['month 0', '2024-00-01T00:00:00Z'],
  ['month 13', '2024-13-01T00:00:00Z'],
  ['hour 24', '2024-01-01T24:00:00Z'],
  ['minute 60', '2024-01-01T00:60:00Z'],
  ['a leap second that did not happen', '2024-06-15T23:59:60Z'],
  ['a leap second that happened', '2016-12-31T23:59:60Z'],
  ['an offset of 24 hours', '2024-01-01T00:00:00+24:00'],
  ['an offset of 60 minutes', '2024-01-01T00:00:00+01:60'],
  ['no time zone', '2024-01-01T00:00:00'],
  ['no time', '2024-01-01'],
  ['no seconds', '2024-01-01T00:00Z'],
  ['a space for the T', '2024-01-01 00:00:00Z'],
  ['an offset without a colon', '2024-01-01T00:00:00+0100'],
  ['an offset without minutes', '2024-01-01T00:00:00+01'],
  ['an empty fraction', '2024-01-01T00:00:00.Z'],
  ['a decimal comma', '2024-01-01T00:00:00,5Z'],
  ['a one-digit month', '2024-1-01T00:00:00Z'],
  ['a two-digit year', '24-01-01T00:00:00Z'],
  ['a six-digit year', '+012024-01-01T00:00:00Z'],
  ['the basic format', '20240101T000000Z'],
  ['a week date', '2024-W01-1T00:00:00Z'],
  ['a leading space', ' 2024-01-01T00:00:00Z'],
  ['a trailing line break', '2024-01-01T00:00:00Z\n'],
  ['full-width digits', '２０２４-01-01T00:00:00Z'],
  ['another character for the minus', '2024-01-01T00:00:00\u221201:00'],
  ['an empty string', ''],
  ['a word', 'tomorrow'],
  ['a number', 1_704_067_200],
  ['a number in milliseconds', 1_704_067_200_000],
  ['a boolean', true],
  ['an array', ['2024-01-01T00:00:00Z']],
]

describeAdapters('the ship date of an order', (adapter) => {
  it('is accepted in any RFC 3339 notation, and returned in UTC with milliseconds', async () => {
    const api = await openClient(adapter, { fixtures: shop() })
    await forEachCase(VALID, async ([given, returned]) => {
      api.mock.petstore.reset()
      const order = { id: 1, quantity: 1, shipDate: returned, complete: false }
      expectResponse(await api.post('/store/orders', { shipDate: given }), 201, order)
      expectResponse(await api.get('/store/orders/1'), 200, order)
      expectResponse(await api.get('/store/orders'), 200, [order])
      await api.post('/store/orders', {})
      expectResponse(await api.patch('/store/orders/2', { shipDate: given }), 200, { ...order, id: 2 })
    })
  })

  it('is returned in the same notation if it comes from a fixture', async () => {
    const order = { id: 1, shipDate: '2024-01-01t00:30:00.1234+01:30' }
    const api = await openClient(adapter, { fixtures: shop([], [order]) })
    expectResponse(await api.get('/store/orders/1'), 200, { id: 1, shipDate: '2023-12-31T23:00:00.123Z' })
  })

  it('must be a valid RFC 3339 date-time', async () => {
    const api = await openClient(adapter, { fixtures: shop([], [{ id: 1, complete: false }]) })
    await expectUnchanged(api.mock, () =>
      forEachCase(INVALID, async ([, shipDate]) => {
        const mentioning = /\/shipDate.*date-time/
        expectError(await api.post('/store/orders', { shipDate }), 400, 'INVALID_REQUEST', mentioning)
        expectError(await api.patch('/store/orders/1', { shipDate }), 400, 'INVALID_REQUEST', mentioning)
      }),
    )
  })
})
