import { setupPetstore } from '../../src/adapters/node/index.js'
import { httpClients } from './http-clients.js'

/** Sends a handled and an unhandled request with every HTTP client, closes the mock, and prints the active resources. */
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
process.stdout.write(JSON.stringify({ statuses, closeError, resources: activeResources() }))
