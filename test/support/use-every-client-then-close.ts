import { setupPetstore } from '../../src/adapters/node/index.js'
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
/** Not of the adapter: the standard output is a pipe, the loader writes its files, and the turn is waited for here. */
const OTHERS = ['PipeWrap', 'FSReqCallback', 'Immediate']
const left = () => process.getActiveResourcesInfo().filter((name) => !OTHERS.includes(name))

// A socket that is closed goes away within a few turns.
for (let turn = 0; turn < 100 && left().length > 0; turn++) {
  await new Promise((resolve) => setImmediate(resolve))
}
process.stdout.write(JSON.stringify({ statuses, complaint, resources: left() }))
