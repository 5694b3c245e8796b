import { createPetstore } from '../../src/index.js'

/** Sends a request that never gets a response, aborts it with a signal alone, and prints the error's name. */
const petstore = createPetstore()
petstore.faults.add({ kind: 'timeout' })
const errorName = await petstore.fetch('/pets', { signal: AbortSignal.timeout(50) }).catch((error: Error) => error.name)
process.stdout.write(String(errorName))
