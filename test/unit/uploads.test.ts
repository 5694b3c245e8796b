import { describe, expect, it } from 'vitest'
import {
  collection,
  INTEGER,
  inPath,
  type Json,
  list,
  object,
  returns,
  serve,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* Files in requests, and in the responses of downloads. */

const BINARY = { ...TEXT, format: 'binary' }
const FILE = object(
  {
    id: { ...INTEGER, readOnly: true },
    filename: TEXT,
    size: INTEGER,
    content_type: TEXT,
    title: TEXT,
    tags: list(TEXT),
  },
  ['id', 'filename', 'size', 'content_type'],
)
const NOT_FOUND = { 404: returns(object({ message: TEXT })) }
const form = (properties: Json) => takes(object(properties), 'multipart/form-data').requestBody
const download = (path: string, type = 'application/octet-stream') => ({
  [path]: {
    parameters: [inPath('fileId')],
    get: { responses: { 200: { description: '', content: { [type]: { schema: BINARY } } }, ...NOT_FOUND } },
  },
})
const upload = (requestBody: Json) => ({
  ...collection('files', { record: FILE, more: { post: { requestBody, responses: { 201: returns(FILE) } } } }),
  ...download('/files/{fileId}/content'),
})

const CONTENT = Uint8Array.from([0, 255, 137, 80, 78, 71])

async function start(requestBody: Json, more: Json = {}) {
  const { mock, send } = await serve(toDocument({ ...upload(requestBody), ...more }))
  return {
    send,
    post: async (body: FormData | Uint8Array, path = '/files', method = 'POST') => {
      const headers = body instanceof FormData ? {} : { 'content-type': 'image/png' }
      const response = await mock.fetch(path, { method, body: body as BodyInit, headers })
      return { status: response.status, body: await response.json() }
    },
    get: async (path: string) => {
      const response = await mock.fetch(path)
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { status: response.status, type: response.headers.get('content-type'), bytes }
    },
  }
}

function formOf(fields: Readonly<Record<string, string>>, part = 'file'): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  data.set(part, new Blob([CONTENT], { type: 'image/png' }), 'cat.png')
  return data
}

const STORED = { id: 1, filename: 'cat.png', size: 6, content_type: 'image/png' }

describe('a file', () => {
  it('fills name, size and type, and comes back', async () => {
    const { post, get, send } = await start(form({ file: BINARY, title: TEXT }))
    expect(await post(formOf({ title: 'Cat' }))).toEqual({ status: 201, body: { ...STORED, title: 'Cat' } })
    expect((await send('GET /files/1')).body).toEqual({ ...STORED, title: 'Cat' })
    expect(await get('/files/1/content')).toEqual({ status: 200, type: 'image/png', bytes: CONTENT })
    expect((await get('/files/9/content')).status).toBe(404)
    await send('DELETE /files/1')
    expect((await get('/files/1/content')).status).toBe(404)
  })

  it('keeps what the request says itself', async () => {
    const { post } = await start(form({ file: BINARY, filename: TEXT }))
    expect((await post(formOf({ filename: 'dog.png' }))).body).toMatchObject({ filename: 'dog.png', size: 6 })
  })

  it('may be the whole body', async () => {
    const raw = { content: { 'image/*': { schema: BINARY } } }
    const { post, get } = await start(raw)
    expect((await post(CONTENT)).body).toMatchObject({ id: 1, size: 6, content_type: 'image/png' })
    expect((await get('/files/1/content')).bytes).toEqual(CONTENT)
  })

  it.each<[string, Json]>([
    ['a text', TEXT],
    ['a text of some format', { ...TEXT, format: 'byte' }],
    ['a list of files', list(BINARY)],
    ['a list of texts', list(TEXT)],
  ])('may be in a part that the document calls %s', async (_, schema) => {
    const { post, get } = await start(form({ file: schema }))
    expect(await post(formOf({}))).toMatchObject({ status: 201, body: STORED })
    expect((await get('/files/1/content')).bytes).toEqual(CONTENT)
  })

  it.each(['payload_json', 'attributes'])('is beside a record that is the JSON of the part %s', async (part) => {
    const { post } = await start(form({ file: BINARY, [part]: TEXT }))
    const { body } = await post(formOf({ [part]: JSON.stringify({ title: 'Cat', tags: ['a'] }) }))
    expect(body).toEqual({ ...STORED, title: 'Cat', tags: ['a'] })
  })

  it('has only members of its own in such a part', async () => {
    const { post } = await start(form({ file: BINARY, payload_json: TEXT }))
    const { status, body } = await post(formOf({ payload_json: '{"__proto__": {"title": "Cat"}}' }))
    expect([status, body]).toEqual([201, expect.not.objectContaining({ title: 'Cat' })])
  })

  it('has a plain type if that of its part cannot be in a header', async () => {
    const { mock } = await serve(toDocument(upload(form({ file: BINARY }))))
    const head = 'Content-Disposition: form-data; name="file"; filename="a"'
    const body = `--x\r\n${head}\r\nContent-Type: image/\u{1F63A}\r\n\r\nabc\r\n--x--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await mock.fetch('/files', { method: 'POST', body, headers })).status).toBe(201)
    const response = await mock.fetch('/files/1/content')
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['application/octet-stream', 'abc'])
  })

  it.each(['PUT', 'POST'])('is another one after %s below the record', async (method) => {
    const raw = { content: { 'image/png': { schema: BINARY } } }
    const operation = { requestBody: raw, responses: { 200: returns(FILE), ...NOT_FOUND } }
    const path = '/files/{fileId}/content'
    const item = { ...download(path)[path], [method.toLowerCase()]: operation }
    const { post, get, send } = await start(form({ file: BINARY }), { [path]: item })
    await post(formOf({}))
    const bytes = Uint8Array.from([1, 2, 3])
    expect((await post(bytes, '/files/1/content', method)).status).toBe(200)
    expect((await get('/files/1/content')).bytes).toEqual(bytes)
    expect((await send('GET /files/1')).body).toMatchObject({ filename: 'cat.png', size: 3 })
  })

  it('is part of an exported state', async () => {
    const document = toDocument(upload(form({ file: BINARY })))
    const [one, other] = await Promise.all([serve(document), serve(document)])
    await one.mock.fetch('/files', { method: 'POST', body: formOf({}) })
    await other.mock.importState(one.mock.exportState())
    const response = await other.mock.fetch('/files/1/content')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(CONTENT)
  })
})
