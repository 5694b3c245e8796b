import { describe, expect, it } from 'vitest'
import { defineService } from '../../src/engine/mock/define-service.js'
import { tokenIn, writeToken } from '../../src/engine/resources/tokens.js'
import {
  collection,
  content,
  INTEGER,
  inPath,
  inQuery,
  type Json,
  list,
  object,
  returns,
  serve,
  serveService,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* Who sends a request, and how they sign in. */

const USER = object({ id: { ...INTEGER, readOnly: true }, email: TEXT, name: TEXT }, ['id', 'email', 'name'])
const ME = object({ id: INTEGER, email: TEXT, name: TEXT, theme: { ...TEXT, enum: ['dark', 'light'] } }, [
  'id',
  'theme',
])
const CREDENTIALS = object({ email: TEXT, password: TEXT }, ['email', 'password'])
const TOKENS = object({ access_token: TEXT, refresh_token: TEXT, token_type: TEXT, expires_in: INTEGER, user: USER }, [
  'access_token',
  'refresh_token',
  'token_type',
  'expires_in',
  'user',
])
const DENIED = { description: 'Denied.', ...content(object({ message: TEXT }, ['message'])) }
const ERRORS = { 401: DENIED, 404: DENIED }
const post = (sent: Json, response: Json = TOKENS) => ({
  post: { ...takes(sent), responses: { 200: returns(response), ...ERRORS } },
})

const PATHS = {
  ...collection('users', { record: USER, sent: object({ email: TEXT, name: TEXT }), errors: ERRORS }),
  '/me': {
    get: { security: [{ bearer: [] }], responses: { 200: returns(ME), ...ERRORS } },
    patch: { ...takes(object({ name: TEXT, theme: TEXT })), responses: { 200: returns(ME), ...ERRORS } },
  },
  '/auth/login': post(CREDENTIALS),
  '/auth/register': post(object({ email: TEXT, name: TEXT, password: TEXT })),
  '/auth/refresh': post(object({ refresh_token: TEXT })),
  '/auth/logout': { post: { responses: { 204: { description: 'Gone.' } } } },
}
const DOCUMENT = {
  ...toDocument(PATHS),
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
}
const ADA = { id: 1, email: 'ada@example.com', name: 'Ada' }
const BOB = { id: 2, email: 'bob@example.com', name: 'Bob' }
const DATA = { users: [ADA, BOB] }
const service = defineService({ document: DOCUMENT, scenarios: { default: DATA } } as never)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('the user of a request', () => {
  it('is the first one, whose record it is', async () => {
    const { send } = await serveService(service)
    expect((await send('GET /me')).body).toMatchObject(ADA)
    const changed = { ...ADA, name: 'Countess', theme: 'light' }
    expect((await send('PATCH /me', { name: 'Countess', theme: 'light' })).body).toEqual(changed)
    expect((await send('GET /users/1')).body).toEqual({ ...ADA, name: 'Countess' })
    await send('PATCH /users/1', { name: 'Ada' })
    expect((await send('GET /me')).body).toEqual({ ...changed, name: 'Ada' })
    expect((await send('GET /users')).body).toHaveLength(2)
  })

  it('is the one whose token it has', async () => {
    const { send } = await serveService(service)
    const { body } = await send('POST /auth/login', { email: 'BOB@example.com', password: 'x' })
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, user: BOB })
    expect((await send('GET /me', undefined, bearer(body.access_token))).body).toMatchObject(BOB)
    await send('DELETE /users/2')
    expect((await send('GET /me', undefined, bearer(body.access_token))).status).toBe(404)
  })

  it.each(['/users/@me', '/user', '/current_user', '/account/me'])('is shown at %s', async (path) => {
    const { '/me': item, ...others } = PATHS
    for (const me of [item, { get: item.get }]) {
      const { send } = await serve(toDocument({ ...others, [path]: me }), DATA)
      expect((await send(`GET ${path}`)).body).toMatchObject(ADA)
    }
  })

  it('is one of those with paths of their own, where others list them as well', async () => {
    const search = { get: { parameters: [inQuery('name')], responses: { 200: returns(list(USER)) } } }
    const paths = { '/search/users': search, ...PATHS }
    const { send } = await serve(toDocument(paths), DATA)
    await send('PATCH /me', { name: 'Countess' })
    for (const path of ['/me', '/users/1']) expect((await send(`GET ${path}`)).body.name).toBe('Countess')
  })

  it('is one of the users, where there are other people', async () => {
    const member = object({ ...USER.properties, id: TEXT }, ['id', 'email', 'name'])
    const members = collection('members', { record: member, id: TEXT, errors: ERRORS })
    const data = { ...DATA, members: [ADA, BOB].map((each) => ({ ...each, id: String(each.id) })) }
    const document = { ...toDocument({ ...members, ...PATHS }), components: DOCUMENT.components }
    const { send } = await serveService(defineService({ document, scenarios: { default: data } } as never), {
      security: 'require',
    })
    const { access_token: token } = (await send('POST /auth/login', { email: BOB.email, password: 'x' })).body
    expect((await send('GET /me', undefined, bearer(token))).body).toMatchObject(BOB)
    expect((await send('GET /members/me', undefined, bearer(token))).body.id).toBe('1')
    await send('DELETE /users/2')
    expect((await send('GET /me', undefined, bearer(token))).status).toBe(401)
  })

  it('is not found by a name that is null', async () => {
    const phone = { type: ['string', 'null'] }
    const record = object({ ...USER.properties, phone }, ['id', 'email', 'name'])
    const paths = {
      ...PATHS,
      ...collection('users', { record }),
      '/auth/login': post(object({ phone, password: TEXT })),
    }
    const { send } = await serve(toDocument(paths), { users: [ADA, { ...BOB, phone: null }] })
    const { access_token: token } = (await send('POST /auth/login', { phone: null, password: 'x' })).body
    expect((await send('GET /me', undefined, bearer(token))).body).toMatchObject(ADA)
  })

  it('is meant by the id me', async () => {
    const users = collection('users', { record: object({ ...USER.properties, id: TEXT }, ['id']), id: TEXT })
    const { send } = await serve(toDocument(users), { users: [{ ...ADA, id: 'u1' }] })
    expect((await send('GET /users/me')).body.id).toBe('u1')
  })

  it('has one record if there are no users: an account with PUT is what it was', async () => {
    const sent = object({ user: CREDENTIALS })
    const own = object({ user: object({ email: TEXT, token: TEXT, bio: TEXT }, ['email', 'token']) }, ['user'])
    const paths = {
      '/user': { get: { responses: { 200: returns(own) } }, put: { ...takes(own), responses: { 200: returns(own) } } },
      '/users': { post: { ...takes(sent), responses: { 201: returns(own) } } },
      '/users/login': post(sent, own),
    }
    const { send } = await serve(toDocument(paths))
    const user = { email: 'cy@example.com', password: 'x' }
    expect((await send('POST /users', { user })).body.user.email).toBe(user.email)
    const { token } = (await send('POST /users/login', { user })).body.user
    const me = (await send('GET /user', undefined, { authorization: `Token ${token}` })).body.user
    expect(me).toMatchObject({ email: user.email, token })
  })
})

describe('signing up', () => {
  it('creates a user', async () => {
    const { send } = await serveService(service)
    const cy = { email: 'cy@example.com', name: 'Cy' }
    const { body } = await send('POST /auth/register', { ...cy, password: 'x' })
    expect(body.user).toEqual({ id: 3, ...cy })
    expect((await send('GET /users/3')).body).toEqual({ id: 3, ...cy })
    expect((await send('GET /me', undefined, bearer(body.access_token))).body).toMatchObject(cy)
  })

  it('keeps the id that the client chooses', async () => {
    const record = object({ username: TEXT, email: TEXT }, ['username'])
    const sent = object({ username: TEXT, password: TEXT }, ['username', 'password'])
    const paths = {
      '/users': { get: { responses: { 200: returns(list(record)) } } },
      '/users/{username}': { get: { parameters: [inPath('username', TEXT)], responses: { 200: returns(record) } } },
      '/register': { post: { ...takes(sent), responses: { 201: returns(record), 409: DENIED } } },
    }
    const { send } = await serve(toDocument(paths), { users: [{ username: 'bob' }] })
    expect((await send('POST /register', { username: 'ann', password: 'x' })).status).toBe(201)
    expect((await send('GET /users/ann')).body.username).toBe('ann')
    expect((await send('POST /register', { username: 'ann', password: 'y' })).status).toBe(409)
  })
})

describe('a token', () => {
  const login = { email: BOB.email, password: 'x' }

  it('expires by the clock of the mock, and is renewed', async () => {
    const { send, mock } = await serveService(service, { security: 'require' })
    mock.clock.freeze()
    const { body } = await send('POST /auth/login', login)
    const status = async (token: string) => (await send('GET /me', undefined, bearer(token))).status
    expect(await status(body.access_token)).toBe(200)
    expect(await status(body.refresh_token)).toBe(401)
    mock.clock.advance(3_599_000)
    expect(await status(body.access_token)).toBe(200)
    mock.clock.advance(1000)
    expect(await status(body.access_token)).toBe(401)
    const renewed = (await send('POST /auth/refresh', { refresh_token: body.refresh_token })).body
    expect(renewed.user).toEqual(BOB)
    expect(await status(renewed.access_token)).toBe(200)
    // A token that the mock did not issue is accepted.
    expect(await status('example')).toBe(200)
    mock.clock.advance('P60D')
    expect((await send('POST /auth/refresh', { refresh_token: body.refresh_token })).status).toBe(401)
  })

  it('ends with signing out, until a reset', async () => {
    const { send, mock } = await serveService(service, { security: 'require' })
    const { access_token: token } = (await send('POST /auth/login', login)).body
    const { access_token: other } = (await send('POST /auth/login', { ...login, password: 'y' })).body
    expect((await send('POST /auth/logout', undefined, bearer(token))).status).toBe(204)
    expect((await send('GET /me', undefined, bearer(token))).status).toBe(401)
    expect((await send('GET /me', undefined, bearer(other))).status).toBe(200)
    const state = mock.exportState()
    await mock.importState(state)
    expect((await send('GET /me', undefined, bearer(token))).status).toBe(401)
    await mock.reset()
    expect((await send('GET /me', undefined, bearer(token))).status).toBe(200)
  })

  it('is another one after signing out, in the same millisecond', async () => {
    const { send, mock } = await serveService(service, { security: 'require' })
    mock.clock.freeze()
    const { access_token: token } = (await send('POST /auth/login', login)).body
    await send('POST /auth/logout', undefined, bearer(token))
    const { access_token: next } = (await send('POST /auth/login', login)).body
    expect((await send('GET /me', undefined, bearer(token))).status).toBe(401)
    expect((await send('GET /me', undefined, bearer(next))).status).toBe(200)
  })

  it('that ended is remembered until the refresh token would have expired', async () => {
    const { send, mock } = await serveService(service)
    mock.clock.freeze()
    const signInAndOut = async () => {
      const { body } = await send('POST /auth/login', login)
      await send('POST /auth/logout', undefined, bearer(body.access_token))
      return body
    }
    const remembered = () => JSON.stringify(mock.exportState()).split('"jti"').length - 1
    const { refresh_token } = await signInAndOut()
    mock.clock.advance('PT2H')
    await signInAndOut()
    expect(remembered()).toBe(2)
    expect((await send('POST /auth/refresh', { refresh_token })).status).toBe(401)
    mock.clock.advance('P30D')
    await signInAndOut()
    expect(remembered()).toBe(1)
  })

  it('for access is none to refresh others with', async () => {
    const { send } = await serveService(service)
    const { access_token: token } = (await send('POST /auth/login', login)).body
    expect((await send('POST /auth/refresh', { refresh_token: token })).status).toBe(401)
    // Services without refresh tokens renew the one that a request has.
    expect((await send('POST /auth/refresh', {}, bearer(token))).body.user).toEqual(BOB)
  })

  it('is found in headers for credentials, in time that grows with their length only', () => {
    const claims = { use: 'access', iat: 1, exp: 2, jti: 'a' } as const
    const token = writeToken(claims)
    for (const [name, value] of Object.entries({ authorization: `Token ${token}`, cookie: `a=b; c=${token}` }))
      expect(tokenIn({ [name]: value })).toMatchObject(claims)
    expect(tokenIn({ 'x-api-key': token })).toMatchObject(claims)
    expect(tokenIn({ referer: token })).toBeUndefined()
    expect(tokenIn({ cookie: 'eyJ'.repeat(200_000) })).toBeUndefined()
  })

  it.each<[Json, number, Json]>([
    [{ grant_type: 'password', username: 'Bob', password: 'x' }, 200, { token_type: 'bearer' }],
    [{ grant_type: 'client_credentials' }, 200, { expires_in: 3600 }],
    [{ grant_type: 'authorization_code', code: 'abc' }, 200, { expires_in: 3600 }],
    [{ grant_type: 'authorization_code' }, 400, { error: 'invalid_request' }],
    [{ grant_type: 'refresh_token', refresh_token: 'unknown' }, 200, { expires_in: 3600 }],
    [{ grant_type: 'dance' }, 400, { error: 'unsupported_grant_type' }],
  ])('is granted as OAuth 2.0 says: %j', async (sent, status, body) => {
    const granted = object({ access_token: TEXT, token_type: { ...TEXT, enum: ['bearer'] }, expires_in: INTEGER }, [
      'access_token',
      'token_type',
      'expires_in',
    ])
    const failed = { description: '', ...content(object({ error: TEXT, error_description: TEXT }, ['error'])) }
    const names = ['grant_type', 'username', 'password', 'code', 'refresh_token']
    const request = object(Object.fromEntries(names.map((name) => [name, TEXT])), ['grant_type'])
    const token = { post: { ...takes(request), responses: { 200: returns(granted), 400: failed } } }
    const { send } = await serve(toDocument({ ...PATHS, '/oauth/token': token }), DATA)
    const response = await send('POST /oauth/token', sent)
    expect([response.status, response.body]).toMatchObject([status, body])
    if (status === 200) {
      const me = await send('GET /me', undefined, bearer(response.body.access_token))
      expect(me.body.name).toBe(sent.username ?? 'Ada')
    }
  })

  it('is the response of a login with GET that returns a text', async () => {
    const get = { parameters: [inQuery('username'), inQuery('password')], responses: { 200: returns(TEXT) } }
    const { send } = await serve(toDocument({ ...PATHS, '/user/login': { get } }), DATA)
    const token = (await send('GET /user/login?username=Bob&password=x')).body
    expect((await send('GET /me', undefined, bearer(token))).body).toMatchObject(BOB)
  })
})
