import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test as petstoreTest } from 'petstore-mock/vitest'
import { afterEach } from 'vitest'
import { PetList } from '../src/pet-list'

const api = 'https://api.petstore.example'
const test = petstoreTest.extend('petstoreOptions', { baseUrl: api, failOn: ['deprecated'] })

afterEach(cleanup)

const names = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)

test('lists the pets that can be bought', async ({ petstore }) => {
  await petstore.reset({ scenario: 'empty' })
  petstore.data.pets.create({ name: 'Zoe' })
  petstore.data.pets.create({ name: 'Bo' })
  petstore.data.pets.create({ name: 'Kim', status: 'sold' })

  render(<PetList api={api} />)

  expect(await names()).toEqual(['Bo', 'Zoe'])
  expect(petstore).toHaveReceivedTimes('listPets', 1, { query: { status: ['available'], sort: 'name' } })
  expect(petstore).toHaveNoContractViolations()
})

test('shows that it is loading until the response arrives', async ({ petstore }) => {
  petstore.faults.add({ operation: 'listPets', delayMs: 200 })

  render(<PetList api={api} />)

  expect(screen.getByRole('status').textContent).toBe('Looking for pets …')
  expect(await names()).toHaveLength(20)
  expect(screen.queryByRole('status')).toBeNull()
})

test.for(['empty', 'sold-out'] as const)('says so when there are no pets (%s)', async (scenario, { petstore }) => {
  await petstore.reset({ scenario })

  render(<PetList api={api} />)

  expect(await screen.findByText('No pets are waiting for a home today.')).toBeDefined()
})

test('lets the customer try again when the service is unavailable', async ({ petstore }) => {
  petstore.faults.add({ operation: 'listPets', status: 503, times: 1 })
  render(<PetList api={api} />)
  expect((await screen.findByRole('alert')).textContent).toContain('closed for a moment')

  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))

  expect(await names()).toHaveLength(20)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(petstore.journal.entries({ operation: 'listPets' }).map(({ status }) => status)).toEqual([503, 200])
})

test.for([{ kind: 'reset' }, { kind: 'malformed' }, { kind: 'truncate' }] as const)(
  'says that the shop cannot be reached when the connection fails ($kind)',
  async (fault, { petstore }) => {
    petstore.faults.add({ operation: 'listPets', ...fault })

    render(<PetList api={api} />)

    expect((await screen.findByRole('alert')).textContent).toContain('cannot be reached')
  },
)

test('shows a pet with an empty name', async ({ petstore }) => {
  await petstore.reset({ scenario: 'edge-cases' })

  render(<PetList api={api} />)

  expect(await names()).toContain('No name yet')
})
