import { expect, it } from 'vitest'
import { readResources } from '../../src/document/resources/read-resources.js'
import {
  collection,
  ERRORS,
  GONE,
  INTEGER,
  inPath,
  type Json,
  list,
  object,
  ref,
  returns,
  serve,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* How paths find records: by their ids, by other properties, below parents, and on several paths. */

const ID = { ...INTEGER, readOnly: true }
const NAMED = object({ name: TEXT }, ['name'])
const shows = (schema: Json) => ({ responses: { 200: returns(schema), ...ERRORS } })
const creates = (schema: Json, sent: Json = NAMED) => ({
  ...takes(sent),
  responses: { 201: returns(schema), ...ERRORS },
})
const changes = (schema: Json, sent: Json = NAMED) => ({ ...takes(sent), ...shows(schema) })

it('finds a repository by its owner and its name, with what is below it, also after it was renamed', async () => {
  const parameters = [inPath('owner', TEXT), inPath('repo', TEXT)]
  const at = '/repos/{owner}/{repo}'
  const document = toDocument(
    {
      '/user/repos': { get: shows(list(ref('Repo'))), post: creates(ref('Repo')) },
      [at]: { parameters, get: shows(ref('Repo')), patch: changes(ref('Repo')), delete: { responses: { 204: GONE } } },
      [`${at}/issues`]: { parameters, get: shows(list(ref('Issue'))), post: creates(ref('Issue')) },
      [`${at}/issues/{issue_number}`]: {
        parameters: [...parameters, inPath('issue_number')],
        get: shows(ref('Issue')),
      },
    },
    {
      User: object({ id: ID, login: TEXT }, ['id', 'login']),
      Repo: object({ id: ID, name: TEXT, owner: ref('User') }, ['id', 'name', 'owner']),
      Issue: object({ id: ID, number: ID, name: TEXT }, ['id', 'number', 'name']),
    },
  )
  const { send } = await serve(document)
  const created = await send('POST /user/repos', { name: 'first' })
  const owner = `/repos/${created.body.owner.login}`
  expect(created.headers.get('location')).toBe(`${owner}/first`)
  expect((await send(`GET ${owner}/first`)).body).toEqual(created.body)
  const issue = await send(`POST ${owner}/first/issues`, { name: 'Broken' })
  expect(issue.headers.get('location')).toBe(`${owner}/first/issues/${issue.body.number}`)
  expect((await send(`PATCH ${owner}/first`, { name: 'second' })).status).toBe(200)
  expect((await send(`GET ${owner}/first`)).status).toBe(404)
  expect((await send(`GET ${owner}/second/issues`)).body).toEqual([issue.body])
  expect((await send(`GET ${owner}/second/issues/${issue.body.number}`)).body).toEqual(issue.body)
  expect((await send(`GET /repos/nobody/second/issues/${issue.body.number}`)).status).toBe(404)
  expect((await send(`DELETE ${owner}/second`)).status).toBe(204)
  expect((await send(`GET ${owner}/second/issues`)).status).toBe(404)
})

it('finds a record on another path by another property', async () => {
  const parameters = [inPath('external_id', TEXT)]
  const User = object({ id: ID, name: TEXT, external_id: TEXT }, ['id', 'name', 'external_id'])
  const sent = object({ name: TEXT, external_id: TEXT }, ['name', 'external_id'])
  const document = toDocument(
    {
      ...collection('users', { record: ref('User'), sent }),
      '/users/external/{external_id}': { parameters, get: shows(ref('User')), put: changes(ref('User'), sent) },
    },
    { User },
  )
  const { send } = await serve(document)
  const { body: ada } = await send('POST /users', { name: 'Ada', external_id: 'a-1' })
  expect((await send('GET /users/external/a-1')).body).toEqual(ada)
  expect((await send('PUT /users/external/a-1', { name: 'Bo', external_id: 'b-2' })).status).toBe(200)
  expect((await send('GET /users/external/a-1')).status).toBe(404)
  expect((await send('GET /users/external/b-2')).body).toEqual({ ...ada, name: 'Bo', external_id: 'b-2' })
  expect((await send(`GET /users/${ada.id}`)).body.name).toBe('Bo')
})

it('keeps records of one schema in one collection, whatever the version, and those of another in another', async () => {
  const File = object({ id: ID, name: TEXT }, ['id', 'name'])
  const parameters = [inPath('id')]
  const document = toDocument(
    {
      '/v2/media': { post: creates(ref('File')) },
      '/v1/media': { post: creates(ref('File')) },
      '/v1/media/{id}': { parameters, get: shows(ref('File')) },
      '/rooms/{roomId}/pods': {
        parameters: [inPath('roomId')],
        get: shows(list(ref('Pod'))),
        post: creates(ref('Pod')),
      },
      '/rooms/{roomId}/pods/{id}': { parameters: [inPath('roomId'), ...parameters], get: shows(ref('Pod')) },
      '/pods': { get: shows(list(ref('Pod'))) },
    },
    { File, Pod: object({ id: ID, name: TEXT, isOpen: { type: 'boolean' } }, ['id', 'name']) },
  )
  const { send } = await serve(document)
  const file = (await send('POST /v2/media', { name: 'One' })).body
  expect((await send(`GET /v1/media/${file.id}`)).body).toEqual(file)
  for (const room of [1, 2]) await send(`POST /rooms/${room}/pods`, { name: `In ${room}` })
  expect((await send('GET /rooms/1/pods')).body).toMatchObject([{ name: 'In 1' }])
  expect((await send('GET /pods')).body).toMatchObject([{ name: 'In 1' }, { name: 'In 2' }])
})

it.each<[string, Json, Json]>([
  ['a property named like it', { organisationId: INTEGER }, { organisationId: 1 }],
  ['an object', { organisation: ref('Organisation') }, { organisation: { id: 1, name: 'Acme' } }],
])('a record below a parent has it in %s', async (_, properties, expected) => {
  const parameters = [inPath('orgId')]
  const document = toDocument(
    {
      ...collection('organisations', { record: ref('Organisation') }),
      '/organisations/{orgId}/projects': {
        parameters,
        get: shows(list(ref('Project'))),
        post: creates(ref('Project')),
      },
      '/projects/{projectId}': {
        parameters: [inPath('projectId')],
        get: shows(ref('Project')),
        patch: changes(ref('Project'), object({ name: TEXT, ...properties })),
      },
    },
    {
      Organisation: object({ id: ID, name: TEXT }, ['id', 'name']),
      Project: object({ id: ID, name: TEXT, ...properties }, ['id', 'name', ...Object.keys(properties)]),
    },
  )
  const organisations = ['Acme', 'Other'].map((name, index) => ({ id: index + 1, name }))
  const { send } = await serve(document, { organisations })
  const created = await send('POST /organisations/1/projects', { name: 'Bridge' })
  expect(created.body).toMatchObject({ name: 'Bridge', ...expected })
  expect((await send('GET /organisations/1/projects')).body).toEqual([created.body])
  expect((await send('GET /organisations/2/projects')).body).toEqual([])
  expect((await send('GET /organisations/3/projects')).status).toBe(404)
  expect((await send('POST /organisations/3/projects', { name: 'Bridge' })).status).toBe(404)
  const [[name, value]] = Object.entries(expected) as [[string, unknown]]
  const moved = typeof value === 'number' ? 2 : organisations[1]
  expect((await send(`PATCH /projects/${created.body.id}`, { [name]: moved })).status).toBe(200)
  expect((await send('GET /organisations/1/projects')).body).toEqual([])
  expect((await send('GET /organisations/2/projects')).body).toHaveLength(1)
})

it('takes a property of a record with the name of its parent’s id for what it is', () => {
  const wallet = object({ own_id: TEXT, name: TEXT })
  const payment = object({ own_id: TEXT, own_wallet_id: TEXT, name: TEXT })
  const parameters = [inPath('own_id', TEXT)]
  const document = toDocument({
    '/wallets': { get: shows(list(wallet)), post: creates(wallet) },
    '/wallets/{own_id}': { parameters, get: shows(wallet) },
    '/wallets/{own_id}/payments': { parameters, get: shows(list(payment)) },
    '/refunds': { get: shows(list(wallet)) },
    '/refunds/{own_id}': { parameters, get: shows(wallet) },
  })
  const payments = readResources(document).find(({ name }) => name === 'payments')
  expect(payments?.id.property).toEqual(['own_id'])
  expect(payments?.parents).toMatchObject([{ resource: 'wallets', property: 'own_wallet_id' }])
})
