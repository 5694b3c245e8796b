// @ts-expect-error jsdom has no types of its own
import { JSDOM } from 'jsdom'
import { setupPetstore } from '../../src/adapters/node/index.js'

/** Sends requests from a jsdom page, as a component test does. The process must then end by itself. */
const { window } = new JSDOM('', { url: 'http://localhost:3000/' })
for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis) continue
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true })
}

const petstore = setupPetstore({ baseUrl: '/api' })
petstore.listen()
const fetched = await fetch('http://localhost:3000/api/pets/1')
const request = new XMLHttpRequest()
request.open('GET', '/api/pets/1')
await new Promise((resolve) => {
  request.onloadend = resolve
  request.send()
})
petstore.close()
process.stdout.write(JSON.stringify([fetched.status, request.status]))
