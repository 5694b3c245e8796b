import { it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectRejectedUnchanged,
  openPair,
  sendLine,
  withTitle,
} from '../support/bad-inputs.js'
import { expectResponse, openClient } from '../support/client.js'
import { STARTING_DATA } from '../support/operations.js'

/** Both requests that take an order's field. */
const LINES = ['POST /store/orders', 'PATCH /store/orders/1']

/** Rows for one field of an order: each value is refused with a message that names it. */
function refused(item: string, naming: string, refusal: string, ...bodies: string[]): BadInput[] {
  return bodies.flatMap((body) =>
    LINES.map((line): BadInput => [`${item} ${line} ${body}`, line, refusal, naming, { body }]),
  )
}

const dated = (item: string, ...dates: (string | number | boolean | string[])[]) =>
  refused(item, '/shipDate must be', '400 INVALID_REQUEST', ...dates.map((shipDate) => JSON.stringify({ shipDate })))

const counted = (item: string, ...quantities: string[]) =>
  refused(item, '/quantity must be', '400 INVALID_REQUEST', ...quantities.map((quantity) => `{"quantity":${quantity}}`))

const invalid: BadInput[] = [
  ...dated('F1', '2024-02-30T00:00:00Z', '2024-04-31T00:00:00Z', '2024-01-00T00:00:00Z', '2024-13-01T00:00:00Z'),
  ...dated('F2', '2023-02-29T00:00:00Z', '1900-02-29T00:00:00Z'),
  ...dated('F3', '2024-01-01T00:00:00', '2024-01-01T00:00:00+0100', '2024-01-01T00:00:00+24:00'),
  ...dated('F4', '2024-01-01', '20240101T000000Z', '2024-W01-1T00:00:00Z', '2024-01-01T00:00Z'),
  ...dated('F5', '2024-01-01 00:00:00Z', ' 2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z\n', '2024-01-01T00:00:00.Z'),
  ...dated('F6', '2024-06-15T23:59:60Z', '2016-12-31T23:59:60Z', '2024-01-01T24:00:00Z', '2024-01-01T00:60:00Z'),
  ...dated('F7', 1_704_067_200, 1_704_067_200_000, true, ['2024-01-01T00:00:00Z'], '1704067200', '', 'tomorrow'),
  ...counted('F10', '1.5', '"1"', 'true', '[1]', '{}', '1e-1', '1.0000000000000000001'),
  ...counted('F11', '9007199254740993', '9007199254740992', '-9007199254740993', '1e400', '-1e400', '1e16'),
]

const impossible: BadInput[] = [
  ...refused(
    'F9',
    '/quantity of an order must be 1 or more',
    '422 INVALID_QUANTITY',
    '{"quantity":0}',
    '{"quantity":-1}',
  ),
  ...refused('F9', '/quantity of an order must be 1 or more, but is 0', '422 INVALID_QUANTITY', '{"quantity":-0}'),
  ...['-1', '-9007199254740991'].map((quantity): BadInput => {
    const naming = `/quantity in stock must be 0 or more, but is ${quantity}`
    const body = `{"quantity":${quantity}}`
    return [`F9 PUT /store/inventory/1 ${body}`, 'PUT /store/inventory/1', '422 INVALID_QUANTITY', naming, { body }]
  }),
]

describeAdapters('bad dates and quantities', (adapter) => {
  it.each(withTitle([...invalid, ...impossible]))('%s', async (_, input) => {
    await expectRejectedUnchanged(await openPair(adapter), input)
  })

  it.each([
    ['2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123Z'],
    ['2024-01-01T00:00:00.999999999Z', '2024-01-01T00:00:00.999Z'],
    [`2024-01-01T00:00:00.${'1'.repeat(5000)}Z`, '2024-01-01T00:00:00.111Z'],
    ['2024-01-01t00:30:00.5+01:30', '2023-12-31T23:00:00.500Z'],
    ['2024-01-01T00:00:00-00:00', '2024-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('F8 %s is taken to the millisecond', async (given, shipDate) => {
    const pair = await openPair(adapter)
    const body = JSON.stringify({ shipDate: given })
    const order = { id: 3, quantity: 1, shipDate, complete: false }
    await expectAccepted(pair, 'POST /store/orders', 201, order, { body })
    await expectAccepted(pair, 'GET /store/orders/3', 200, order)
    await expectAccepted(pair, 'PATCH /store/orders/1', 200, { ...order, id: 1, petId: 2 }, { body })
  })

  it.each([0, -1, -9007199254740991])('F9 a quantity of %i is stored where the rules are off', async (quantity) => {
    const { mock } = await openClient(adapter, { ...STARTING_DATA, rules: 'off' })
    const body = JSON.stringify({ quantity })
    const order = { id: 3, quantity, complete: false }
    expectResponse(await sendLine(mock, 'POST /store/orders', { body }), 201, order)
    expectResponse(await sendLine(mock, 'GET /store/orders/3'), 200, order)
    const entry = { petId: 1, quantity, status: 'available' }
    expectResponse(await sendLine(mock, 'PUT /store/inventory/1', { body }), 200, entry)
    expectResponse(await sendLine(mock, 'GET /store/inventory/1'), 200, entry)
  })

  it('F11 the largest quantity is exact', async () => {
    const pair = await openPair(adapter)
    const quantity = 9007199254740991
    const body = JSON.stringify({ quantity })
    await expectAccepted(pair, 'POST /store/orders', 201, { id: 3, quantity, complete: false }, { body })
    const entry = { petId: 1, quantity, status: 'available' }
    await expectAccepted(pair, 'PUT /store/inventory/1', 200, entry, { body })
  })
})
