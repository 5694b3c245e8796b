import { setupPetstore } from '../../src/node/index.js'
import { httpClients } from './http-clients.js'

/** Listens, lets every client make a request and another that is stopped, closes, and prints what is left to wait for. */
const petstore = setupPetstore({ baseUrl: ['http://shop.invalid', 'https://shop.invalid'] })
petstore.listen()

const statuses: Record<string, number> = {}
for (const { name, protocol, send } of httpClients) {
  statuses[name] = (await send(`${protocol}//shop.invalid/pets`)).status
  await send(`${protocol}//elsewhere.invalid/`).catch(() => {})
}

let complaint = ''
try {
  petstore.close()
} catch (error) {
  complaint = String(error)
}
// What a socket or a timer needs to go away happens before the next turn.
await new Promise((resolve) => setImmediate(resolve))
process.stdout.write(JSON.stringify({ statuses, complaint, resources: process.getActiveResourcesInfo() }))
