import { declareConcurrentTests } from './concurrent-tests.js'

declareConcurrentTests()
