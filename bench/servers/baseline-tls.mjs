/**
 * The baselines over TLS: raw node:https, and raw node:http2 with its core or its compatibility API. They always return the
 * same prepared response. Those that end with `-mock` also let the mock handle the request, but do not send its response.
 * `node baseline-tls.mjs <port> <file with the response> <kind> <folder with the certificate>`
 */
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { createPetstore } from '../../dist/index.js'

const [port, file, kind, folder] = process.argv.slice(2)
const { headers, body } = JSON.parse(readFileSync(file, 'utf8'))
const [cert, key] = ['localhost.pem', 'localhost-key.pem'].map((name) => readFileSync(join(folder, name)))

const respond = (_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}

const respondTo = (stream) => {
  stream.respond({ ':status': 200, ...headers })
  stream.end(body)
}

async function createHandle() {
  const petstore = createPetstore()
  await petstore.ready
  return (path) => petstore.handle({ method: 'GET', path, query: '', base: '', headers: { accept: '*/*' } })
}

const create = {
  https: () => createServer({ cert, key }, respond),
  http2: () => createSecureServer({ cert, key }).on('stream', respondTo),
  'https-mock': async () => {
    const handle = await createHandle()
    return createServer({ cert, key }, (request, response) => {
      handle(request.url)
      respond(request, response)
    })
  },
  'http2-mock': async () => {
    const handle = await createHandle()
    return createSecureServer({ cert, key }).on('stream', (stream, requested) => {
      handle(requested[':path'])
      respondTo(stream)
    })
  },
  'http2-compat': () => createSecureServer({ cert, key }, respond),
}

const server = await create[kind]()
server.listen(Number(port), '127.0.0.1')
