// Serves the two files of the shop, and gives the page the URL of the API.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const { SHOP_PORT = '4020', API = 'http://127.0.0.1:4010' } = process.env
const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/shop.js': ['shop.js', 'text/javascript'],
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  if (pathname === '/api.json') {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(API))
    return
  }
  const [file, type] = FILES[pathname] ?? []
  if (file === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'Content-Type': type }).end(await readFile(new URL(file, import.meta.url)))
})

server.listen(Number(SHOP_PORT), '127.0.0.1')
