import { text } from 'node:stream/consumers'
import { type Carelessness, createCarelessService } from './careless-service.js'
import { serve } from './serve.js'

/** Serves the careless service of the tests of `verify`, and returns its address. */
export function serveCareless(careless: Carelessness): Promise<string> {
  const service = createCarelessService(careless)
  return serve(async (request, response) => {
    const body = await text(request)
    const { method = 'GET', url } = request
    const answer = await service.fetch(`http://service${url}`, { method, ...(body !== '' && { body }) })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
}
