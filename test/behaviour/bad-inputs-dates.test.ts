import { it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectAllRejected,
  openPair,
  resetPair,
  sendLine,
} from '../support/bad-inputs.js'
import { forEachCase } from '../support/cases.js'
import { expectResponse, openClient } from '../support/client.js'
import { STARTING_DATA } from '../support/operations.js'

/** Both requests that accept the fields of an order. */
const LINES = ['POST /store/orders', 'PATCH /store/orders/1']

function rejected(item: string, mentioning: string, error: string, ...bodies: string[]): BadInput[] {
  return bodies.flatMap((body) =>
    LINES.map((line): BadInput => [`${item} ${line} ${body}`, line, error, mentioning, { body }]),
  )
}

const dates = (item: string, ...values: (string | number | boolean | string[])[]) =>
  rejected(item, '/shipDate must be', '400 INVALID_REQUEST', ...values.map((shipDate) => JSON.stringify({ shipDate })))

const quantities = (item: string, ...values: string[]) =>
  rejected(item, '/quantity must be', '400 INVALID_REQUEST', ...values.map((quantity) => `{"quantity":${quantity}}`))

const invalidDates: BadInput[] = [
  ...dates('F1', '2024-02-30T00:00:00Z', '2024-04-31T00:00:00Z', '2024-01-00T00:00:00Z', '2024-13-01T00:00:00Z'),
  ...dates('F2', '2023-02-29T00:00:00Z', '1900-02-29T00:00:00Z'),
  ...dates('F3', '2024-01-01T00:00:00', '2024-01-01T00:00:00+0100', '2024-01-01T00:00:00+24:00'),
  ...dates('F4', '2024-01-01', '20240101T000000Z', '2024-W01-1T00:00:00Z', '2024-01-01T00:00Z'),
  ...dates('F5', '2024-01-01 00:00:00Z', ' 2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z\n', '2024-01-01T00:00:00.Z'),
  ...dates('F6', '2024-06-15T23:59:60Z', '2016-12-31T23:59:60Z', '2024-01-01T24:00:00Z', '2024-01-01T00:60:00Z'),
  ...dates('F7', 1_704_067_200, 1_704_067_200_000, true, ['2024-01-01T00:00:00Z'], '1704067200', '', 'tomorrow'),
]

const ORDER_MINIMUM = '/quantity must be 1 or more'

const invalidQuantities: BadInput[] = [
  ...rejected('F9', ORDER_MINIMUM, '422 INVALID_QUANTITY', '{"quantity":0}', '{"quantity":-1}'),
  ...rejected('F9', `${ORDER_MINIMUM}, but is 0`, '422 INVALID_QUANTITY', '{"quantity":-0}'),
  ...['-1', '-9007199254740991'].map((quantity): BadInput => {
    const mentioning = `/quantity must be 0 or more, but is ${quantity}.`
    const body = `{"quantity":${quantity}}`
    return [`F9 PUT /store/inventory/1 ${body}`, 'PUT /store/inventory/1', '422 INVALID_QUANTITY', mentioning, { body }]
  }),
  ...quantities('F10', '1.5', '"1"', 'true', '[1]', '{}', '1e-1', '1.0000000000000000001'),
  ...quantities('F11', '9007199254740993', '9007199254740992', '-9007199254740993', '1e400', '-1e400', '1e16'),
]

describeAdapters('bad dates and quantities', (adapter) => {
  it('rejects invalid dates', () => expectAllRejected(adapter, invalidDates))

  it('rejects invalid quantities', () => expectAllRejected(adapter, invalidQuantities))

  it('F8 stores a date in UTC with milliseconds', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      [
        ['2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123Z'],
        ['2024-01-01T00:00:00.999999999Z', '2024-01-01T00:00:00.999Z'],
        [`2024-01-01T00:00:00.${'1'.repeat(5000)}Z`, '2024-01-01T00:00:00.111Z'],
        ['2024-01-01t00:30:00.5+01:30', '2023-12-31T23:00:00.500Z'],
        ['2024-01-01T00:00:00-00:00', '2024-01-01T00:00:00.000Z'],
        ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ],
      async ([given, shipDate]) => {
        resetPair(pair)
        const body = JSON.stringify({ shipDate: given })
        const order = { id: 3, quantity: 1, shipDate, complete: false }
        await expectAccepted(pair, 'POST /store/orders', 201, order, { body })
        await expectAccepted(pair, 'GET /store/orders/3', 200, order)
        await expectAccepted(pair, 'PATCH /store/orders/1', 200, { ...order, id: 1, petId: 2 }, { body })
      },
    )
  })

  it('F9 stores any quantity when the rules are off', async () => {
    const { mock } = await openClient(adapter, { ...STARTING_DATA, rules: 'off' })
    await forEachCase([0, -1, -9007199254740991], async (quantity) => {
      mock.petstore.reset()
      const body = JSON.stringify({ quantity })
      const order = { id: 3, quantity, complete: false }
      expectResponse(await sendLine(mock, 'POST /store/orders', { body }), 201, order)
      expectResponse(await sendLine(mock, 'GET /store/orders/3'), 200, order)
      const entry = { petId: 1, quantity, status: 'available' }
      expectResponse(await sendLine(mock, 'PUT /store/inventory/1', { body }), 200, entry)
      expectResponse(await sendLine(mock, 'GET /store/inventory/1'), 200, entry)
    })
  })

  it('F11 stores the largest quantity exactly', async () => {
    const pair = await openPair(adapter)
    const quantity = 9007199254740991
    const body = JSON.stringify({ quantity })
    await expectAccepted(pair, 'POST /store/orders', 201, { id: 3, quantity, complete: false }, { body })
    const entry = { petId: 1, quantity, status: 'available' }
    await expectAccepted(pair, 'PUT /store/inventory/1', 200, entry, { body })
  })
})
