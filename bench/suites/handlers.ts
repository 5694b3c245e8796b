import { test } from 'vitest'
import { useHandlers } from './hand-written.js'
import { BASE, readAndCreate, registerTests } from './suite.js'

registerTests('hand-written msw handlers', (title) => test(title, () => readAndCreate(fetch, BASE)))
useHandlers()
