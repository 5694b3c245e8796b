import { aroundEach, test as plainTest } from 'vitest'
import { useHandlers } from './hand-written.js'
import { BASE, readAndCreate, registerTests } from './suite.js'

/** What vitest itself takes for a fixture as that of petstore-mock/vitest, which does nothing here. */
const test = plainTest.extend<{ options: string; mock: string }>({
  options: '',
  mock: [
    async ({ options, onTestFinished }, use) => {
      onTestFinished(() => {})
      await use(options)
    },
    { auto: true },
  ],
})
aroundEach((runTest) => runTest())

registerTests('the same with an empty fixture', (title) => test(title, () => readAndCreate(fetch, BASE)))
useHandlers()
