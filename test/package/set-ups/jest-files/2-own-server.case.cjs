const { once } = require('node:events')
const http = require('node:http')

const server = http.createServer((_, response) => response.end('hello'))
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('reaches its own server, without a mock', async () => {
  const url = `http://127.0.0.1:${server.address().port}`
  expect(await (await fetch(url)).text()).toBe('hello')
  const [response] = await once(http.get(url), 'response')
  expect(response.statusCode).toBe(200)
  response.resume()
})
