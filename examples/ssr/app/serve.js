// A shop that renders its list of pets on the server; page.js then makes it interactive.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const { APP_PORT = '4020', API = 'http://127.0.0.1:4010' } = process.env

/** The address of the dogs that can be ordered, newest first. */
const DOGS = `${API}/pets?categoryId=1&status=available&sort=-id&limit=5`

/** Starts the shop. `load` fetches an address for an incoming request. */
export function serve(load) {
  const server = createServer(async (request, response) => {
    if (request.url === '/page.js') {
      const script = await readFile(new URL('page.js', import.meta.url))
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script)
      return
    }
    try {
      const loaded = await load(DOGS, request)
      const body = await loaded.json()
      if (!loaded.ok) throw new Error(body.message)
      const list = body.map(({ name }) => `<li>${toHtml(name)}</li>`).join('')
      respond(response, 200, `<ul aria-label="Dogs">${list}</ul>`)
    } catch (error) {
      respond(response, 502, `<p role="alert">${toHtml(error.message)}</p>`)
    }
  })
  server.listen(Number(APP_PORT), '127.0.0.1')
}

function respond(response, status, content) {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>
    <html lang="en" data-api="${API}">
      <meta charset="utf-8">
      <title>Dog shop</title>
      <link rel="icon" href="data:,">
      <h1>Dogs that wait for a home</h1>
      ${content}
      <form>
        <label>Name <input name="name" required></label>
        <button disabled>Take in</button>
      </form>
      <p role="status"></p>
      <script type="module" src="/page.js"></script>
    </html>`)
}

const toHtml = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
