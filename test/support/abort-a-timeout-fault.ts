import { createPetstore } from '../../src/index.js'

/** Waits for an answer that never comes, with nothing but a signal to end it, and prints how it ended. */
const petstore = createPetstore()
petstore.faults.add({ kind: 'timeout' })
const ended = await petstore.fetch('/pets', { signal: AbortSignal.timeout(50) }).catch((error: Error) => error.name)
process.stdout.write(String(ended))
