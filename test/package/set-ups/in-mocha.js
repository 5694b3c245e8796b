import { assertReceived } from 'petstore-mock/assertions'
import { setupPetstore } from 'petstore-mock/node'
import { timers } from './node-timers.js'
import { OPTIONS, registerSuite } from './suite.js'

const petstore = setupPetstore(OPTIONS)
before(() => petstore.listen())
afterEach(() => {
  petstore.reset()
  petstore.check()
})
after(() => petstore.close())

registerSuite({
  setUp: { runner: 'mocha', environment: 'node' },
  test: (title, act) => it(title, () => act(petstore)),
  expectReceived: assertReceived,
  timers,
})
