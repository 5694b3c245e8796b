import { it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectAllCreated } from '../support/bad-inputs.js'

describeAdapters('requests against the rules', (adapter) => {
  it('G11 a thousand simultaneous creations give a thousand pets', () => expectAllCreated(adapter, 1000))
})
