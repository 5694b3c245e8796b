import http from 'node:http'
import { setupPetstore } from 'petstore-mock/node'

const PETS = 'http://petstore.test'
const RATES = 'http://rates.test'

const CLIENTS = {
  fetch: async (url) => (await fetch(url)).text(),
  'node:http': (url) =>
    new Promise((resolve, reject) => {
      const request = http.get(url, async (response) =>
        resolve((await response.setEncoding('utf8').toArray()).join('')),
      )
      request.on('error', reject)
    }),
}

// Loads nock before the mock listens, and prints what each client gets and what the mock reports.
const { default: nock } = await import(process.argv[2])
const petstore = setupPetstore({ baseUrl: PETS })
petstore.listen()
for (const [client, send] of Object.entries(CLIENTS)) {
  nock(RATES).get('/eur').reply(200, '1.1')
  const describe = (error) => error.code
  const rate = await send(`${RATES}/eur`).catch(describe)
  const { id } = JSON.parse(await send(`${PETS}/pets/1`))
  const stray = await send('http://stray.test/').catch(describe)
  let reported = []
  try {
    petstore.check()
  } catch (error) {
    reported = (error.errors ?? [error]).map(({ message }) => message.split(' was blocked')[0])
  }
  console.log(JSON.stringify({ client, rate, id, stray, reported }))
}
petstore.close()
