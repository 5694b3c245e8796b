/**
 * The baselines over TLS: raw node:https, and raw node:http2 with its core or its compatibility API. They always return the
 * same prepared response. `node baseline-tls.mjs <port> <file with the response> <https | http2 | http2-compat> <folder with the certificate>`
 */
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { createServer } from 'node:https'
import { join } from 'node:path'

const [port, file, kind, folder] = process.argv.slice(2)
const { headers, body } = JSON.parse(readFileSync(file, 'utf8'))
const [cert, key] = ['localhost.pem', 'localhost-key.pem'].map((name) => readFileSync(join(folder, name)))

const respond = (_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}

const create = {
  https: () => createServer({ cert, key }, respond),
  http2: () =>
    createSecureServer({ cert, key }).on('stream', (stream) => {
      stream.respond({ ':status': 200, ...headers })
      stream.end(body)
    }),
  'http2-compat': () => createSecureServer({ cert, key }, respond),
}

create[kind]().listen(Number(port), '127.0.0.1')
