import { setupPetstore } from '../../src/adapters/node/index.js'
import { createPetstore } from '../../src/index.js'
import { httpClients } from './http-clients.js'

/**
 * Sends a handled and an unhandled request with every HTTP client, closes the mock, and finds the active resources. Then
 * waits for a response that never comes, until a signal alone aborts the request.
 */
const petstore = setupPetstore({ baseUrl: ['http://shop.invalid', 'https://shop.invalid'] })
petstore.listen()

const statuses: Record<string, number> = {}
for (const { name, protocol, send } of httpClients) {
  statuses[name] = (await send(`${protocol}//shop.invalid/pets`)).status
  await send(`${protocol}//elsewhere.invalid/`).catch(() => {})
}

let closeError = ''
try {
  petstore.close()
} catch (error) {
  closeError = String(error)
}
/** Resources that are not the adapter's: standard output, the module loader's files, and the loop below. */
const UNRELATED = ['PipeWrap', 'FSReqCallback', 'Immediate']
const activeResources = () => process.getActiveResourcesInfo().filter((name) => !UNRELATED.includes(name))

// A closed socket disappears after a few turns of the event loop.
for (let turn = 0; turn < 100 && activeResources().length > 0; turn++) {
  await new Promise((resolve) => setImmediate(resolve))
}
const resources = activeResources()

const inMemory = createPetstore()
inMemory.faults.add({ kind: 'timeout' })
const aborted = await inMemory.fetch('/pets', { signal: AbortSignal.timeout(50) }).catch(({ name }: Error) => name)
process.stdout.write(JSON.stringify({ statuses, closeError, resources, aborted }))
