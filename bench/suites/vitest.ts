import { loadBuilt } from '../built.js'
import { BASE, readAndCreate, registerTests } from './suite.js'

const { test: petstoreTest } = await loadBuilt<typeof import('../../src/runners/vitest/index.js')>('vitest.js')
const test = petstoreTest.extend('petstoreOptions', { baseUrl: BASE })

registerTests('petstore-mock/vitest', (title) => test(title, () => readAndCreate(fetch, BASE)))
