import http from 'node:http'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { requestByName } from './request-by-name.js'

// Not imported statically, because it cannot be loaded in jsdom in Jest.
const undici = import('undici')
undici.catch(() => {})

/**
 * Each sends a request, with a JSON body if there is one, and returns the status and the text of the response. They are
 * written as most projects write them: nothing here knows of the mock.
 */
export const CLIENTS = {
  fetch: (url, options) => sendByFetch(fetch, url, options),

  XMLHttpRequest(url, { method = 'GET', headers = {}, body, signal } = {}) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.onload = () => resolve({ status: request.status, text: request.responseText })
      request.onerror = () => reject(new Error('XMLHttpRequest failed'))
      request.onabort = () => reject(Object.assign(new Error('XMLHttpRequest aborted'), { name: 'AbortError' }))
      signal?.addEventListener('abort', () => {
        request.abort()
        // The event is dispatched at once.
        reject(new Error('abort() dispatched no event'))
      })
      request.send(toJson(body))
    })
  },

  async axios(url, { method = 'GET', headers, body, signal } = {}) {
    const options = {
      responseType: 'text',
      transformResponse: (read) => read,
      validateStatus: () => true,
      proxy: false,
    }
    const { status, data } = await axios.request({ url, method, headers, signal, data: body, ...options })
    return { status, text: data }
  },

  'node:http': (url, options) => sendByNode(http.request, url, options),

  async undici(url, { method = 'GET', headers, body, signal } = {}) {
    const response = await (await undici).request(url, { method, headers, signal, body: toJson(body) })
    return { status: response.statusCode, text: await response.body.text() }
  },
}

const fetchBefore = globalThis.fetch

/** Clients that have their function before the mock listens. */
export const EARLY_CLIENTS = {
  'request, imported by name from node:http': (url, options) => sendByNode(requestByName, url, options),
  'fetch, saved before listen()': (url, options) => sendByFetch(fetchBefore, url, options),
}

async function sendByFetch(fetch, url, { method = 'GET', headers, body, signal } = {}) {
  const response = await fetch(url, { method, headers, signal, body: toJson(body) })
  return { status: response.status, text: await response.text() }
}

function sendByNode(request, url, { method = 'GET', headers, body, signal } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, signal }, (response) => {
      text(response).then((read) => resolve({ status: response.statusCode, text: read }), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(toJson(body))
  })
}

function toJson(body) {
  return body === undefined ? undefined : JSON.stringify(body)
}
