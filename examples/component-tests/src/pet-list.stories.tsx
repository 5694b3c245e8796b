import type { Meta, StoryObj } from '@storybook/react-vite'
import { setupPetstore } from 'petstore-mock/browser'
import { PetList } from './pet-list'

const api = '/api'

export default { component: PetList, args: { api } } satisfies Meta<typeof PetList>

type Story = StoryObj<typeof PetList>

export const Full: Story = {
  parameters: { msw: [...setupPetstore({ baseUrl: api }).handlers] },
}

export const Empty: Story = {
  parameters: { msw: [...setupPetstore({ baseUrl: api, scenario: 'empty' }).handlers] },
}

const closed = setupPetstore({ baseUrl: api })
closed.faults.add({ operation: 'listPets', status: 503 })

export const Closed: Story = {
  parameters: { msw: [...closed.handlers] },
}
