import { test as petstoreTest } from 'petstore-mock/vitest'
import { OPTIONS } from './suite.js'
import { registerInVitest } from './vitest-suite.js'

const test = petstoreTest.extend('petstoreOptions', OPTIONS)

registerInVitest('petstore-mock/vitest', (title, act) => test(title, ({ petstore }) => act(petstore)))
