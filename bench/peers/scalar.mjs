/** Scalar's mock server. `node scalar.mjs <port> <document>` */
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { createMockServer } from '@scalar/mock-server'

const [port, document] = process.argv.slice(2)
const app = await createMockServer({ document: readFileSync(document, 'utf8') })
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
