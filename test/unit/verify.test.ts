import { describe, expect, it } from 'vitest'
import { createPetstore } from '../../src/index.js'
import { once } from '../../src/lib/functions.js'
import { NEEDS_WRITES } from '../../src/tools/server/cannot-check.js'
import { parseLinks } from '../../src/tools/server/link-header.js'
import { isLocalMock, NotRecognised } from '../../src/tools/server/recognise-service.js'
import type { Fetch } from '../../src/tools/server/send-request.js'
import { IN_OTHER_CHECKS, type Report } from '../../src/tools/verify/report.js'
import type { VerifyOptions } from '../../src/tools/verify/verify.js'
import { type Alteration, all, alterResponses, errorField, field, header, status } from '../support/alter-responses.js'
import { isFullRun } from '../support/full-run.js'
import { differencesOf, expectPasses, fetchOf, operationsOf, verify } from '../support/verify.js'

const namesOf = (report: Report) =>
  operationsOf(report).map(({ operation, passed, failed, skipped }) => [
    operation,
    [...passed, ...failed, ...skipped.map(({ check }) => check)].sort(),
  ])

/** The checks of each operation, which are the same in every run. */
const checkNames = async () => namesOf(await verifyReads())

const verifyReads = once(() => verify(fetchOf(), { allowWrites: false }))

const skippedOf = (report: Report) => operationsOf(report).flatMap(({ skipped }) => skipped)

describe('a service that conforms to the contract', () => {
  const scenarios = [
    'big-ids',
    ...(isFullRun ? (['default', 'empty', 'edge-cases', 'sold-out'] as const) : []),
  ] as const

  it.each(scenarios)('passes, and all data is as before: %s', async (scenario) => {
    const report = await expectPasses(scenario)
    expect(namesOf(report)).toStrictEqual(await checkNames())
  })

  it.runIf(isFullRun)('passes while other clients change its data', async () => {
    const fetch = fetchOf()
    const reports = await Promise.all([verify(fetch), verify(fetch), verify(fetch, { allowWrites: false })])
    expect(reports.map(differencesOf)).toStrictEqual([[], [], []])
  })
})

describe('writes', () => {
  const READS = ['GET', 'HEAD', 'OPTIONS']
  const WRITES = ['DELETE', ...READS, 'PATCH', 'POST', 'PUT']
  const anonymous: Alteration = ({ headers }) => headers.delete('X-Petstore-Mock')

  it.each<[string, string[], Partial<VerifyOptions>, Alteration?]>([
    ['are sent to a mock on this machine', WRITES, { baseUrl: 'http://127.0.0.1:4010' }],
    ['are not sent to a mock on another machine', READS, { baseUrl: 'http://pets.test' }],
    [
      'are sent to any service if they are allowed',
      WRITES,
      { baseUrl: 'http://pets.test', allowWrites: true },
      anonymous,
    ],
  ])('%s', async (_, expected, options, alteration = () => {}) => {
    const fetch = alterResponses(fetchOf(), alteration)
    const [methods, tokens] = [new Set<string>(), new Set<string | null>()]
    let running = 0
    let mostAtOnce = 0
    const record: Fetch = async (url, init) => {
      mostAtOnce = Math.max(mostAtOnce, ++running)
      methods.add(init.method ?? '')
      tokens.add(new Headers(init.headers).get('authorization'))
      return fetch(url, init).finally(() => running--)
    }
    const report = await verify(record, { ...options, headers: [['Authorization', 'Bearer secret']] })
    expect(mostAtOnce).toBe(1)
    expect([...methods].sort()).toStrictEqual(expected)
    expect([...tokens]).toStrictEqual(['Bearer secret'])
    expect(report).toMatchObject({ wroteData: expected === WRITES, failed: 0 })
    if (expected === WRITES) {
      expect(report).toMatchObject({ skipped: 0, skippedWrites: 0 })
      return
    }
    expect(report).toMatchObject({ leftBehind: [], sampled: 0, changed: [] })
    expect(report.passed).toBeGreaterThan(50)
    expect(report.skippedWrites).toBeGreaterThan(50)
    expect(report.skippedWrites).toBe(report.skipped)
    expect(new Set(skippedOf(report).map(({ reason }) => reason))).toStrictEqual(new Set([NEEDS_WRITES]))
  })

  it.each([
    ['http://localhost', true],
    ['http://pets.localhost:80/sandbox/a', true],
    ['http://127.1.2.3', true],
    ['http://[::1]:4010', true],
    ['http://localhost.pets.test', false],
    ['http://10.0.0.1', false],
  ])('treat %s as this machine: %s', (baseUrl, expected) => {
    expect(isLocalMock(baseUrl, { headers: new Headers({ 'X-Petstore-Mock': '1.0.0' }) })).toBe(expected)
    expect(isLocalMock(baseUrl, { headers: new Headers() })).toBe(false)
  })
})

const onlySuccess =
  (alter: Alteration): Alteration =>
  (response) => {
    if (response.status < 300) alter(response)
  }

const asHtml: Alteration = (response) => {
  if (response.operation === 'getCategory' && response.status === 200) response.body = '<html>'
}

const allowingMore: Alteration = ({ path, headers }) => {
  if (/^\/pets\/\d+$/.test(path) && headers.has('Allow')) headers.set('Allow', 'GET, HEAD, PUT, DELETE, PATCH, OPTIONS')
}

const nextId = (id: unknown): unknown => Number(id) + 1

describe('differences', () => {
  it.each<[string, Record<string, Alteration>]>([
    [
      'statuses, and the ids of other records',
      {
        'getInventory status 404→200': status('getInventory', 404, 200),
        'createOrder body /id': field('createOrder', 'id', () => 1),
        'createPet status 201→202': status('createPet', 201, 202),
        'getPet status 404→410': status('getPet', 404, 410),
        'deleteCategory status 409→400': status('deleteCategory', 409, 400),
        'getOrder status 404→400': status('getOrder', 404, 400),
        'updateInventory status 415→400': status('updateInventory', 415, 400),
      },
    ],
    [
      'members and headers',
      {
        'listPets body /*/status': field('listPets', 'status'),
        'createPet body /id': field('createPet', 'id', nextId),
        'createCategory body /id': field('createCategory', 'id'),
        'updateCategory body /name': field('updateCategory', 'name', () => 'Other'),
        'getOrder body /id': field('getOrder', 'id', String),
        'getOrder body /shipDate': field('getOrder', 'shipDate', (date) => date && String(date).replace('.000Z', 'Z')),
        'listInventory body /*/quantity': field('listInventory', 'quantity', nextId),
        'listInventory body /*/status': field('listInventory', 'status'),
        'getInventory body /quantity': field('getInventory', 'quantity', () => 1.5),
        'listPets header X-Total-Count': header('listPets', 'X-Total-Count'),
        'getPet header Deprecation': header('getPet', 'Deprecation', '@0'),
        'getPet header Sunset': header('getPet', 'Sunset'),
        'getPet header Link': header('getPet', 'Link'),
        'getPet header Allow': allowingMore,
        'updatePet header X-Stability': header('updatePet', 'X-Stability', 'beta'),
        'listCategories header Link': header('listCategories', 'Link'),
        'getCategory header Content-Type': header('getCategory', 'Content-Type', 'text/html'),
        'createOrder header Location': header('createOrder', 'Location'),
        'createOrder header Accept-Post': header('createOrder', 'Accept-Post', 'text/plain'),
        'updateOrder header Accept-Patch': header('updateOrder', 'Accept-Patch'),
      },
    ],
    [
      'members of errors, several parts of one response, and a record that is not JSON',
      {
        'getCategory body': asHtml,
        'createPet header Location': onlySuccess(header('createPet', 'Location', '/nowhere')),
        'createPet header X-Stability': header('createPet', 'X-Stability', 'gold'),
        'createPet status 201→200': status('createPet', 201, 200),
        'listPets body /*/id': field('listPets', 'id'),
        'listPets error body /message': errorField('listPets', 'message', ''),
        'getPet error body /code': errorField('getPet', 'code'),
        'deletePet error body /stack': errorField('deletePet', 'stack', 'at x'),
        'createOrder error body /status': errorField('createOrder', 'status', 500),
        'createOrder error body /code': errorField('createOrder', 'code', 'NO'),
      },
    ],
  ])('are all reported, and nothing else: %s', async (_, alterations) => {
    const report = await verify(alterResponses(fetchOf(), all(...Object.values(alterations))))
    expect(differencesOf(report).sort()).toStrictEqual(Object.keys(alterations).sort())
    expect(report).toMatchObject({ differences: Object.keys(alterations).length, changed: [] })
    expect(namesOf(report)).toStrictEqual(await checkNames())
    for (const { failed, differences } of operationsOf(report)) {
      expect(failed.length > 0).toBe(differences.length > 0)
    }
  })

  it('in stored records are reported for the operation that reads them', async () => {
    const report = await verify(
      alterResponses(
        fetchOf(),
        field('getPet', 'name', () => 'Other'),
      ),
    )
    expect(differencesOf(report)).toStrictEqual(['getPet body /name'])
    expect(skippedOf(report).map(({ reason }) => reason)).toContain(
      'what createPet creates does not read back as it was sent',
    )
    // Nothing was deleted that could not be recognised.
    expect(report.leftBehind.filter(({ kind }) => kind === 'pet')).toHaveLength(3)
  })
})

describe('a service that does not respond', () => {
  it('is reported in plain words', async () => {
    const run = verify(() => Promise.reject(Object.assign(new Error('0A00010B:error'), { code: 'Z_DATA_ERROR' })))
    await expect(run).rejects.toThrow(NotRecognised)
    await expect(run).rejects.toThrow(`its body is not in the content coding that its header names`)
  })

  it('is called no more than twice for an operation that never responds', async () => {
    const fetch = fetchOf()
    let calls = 0
    const report = await verify((url, init) => {
      if (init.method !== 'GET' || !/inventory\/\d+$/.test(url)) return fetch(url, init)
      calls += 1
      return Promise.reject(new Error('closed'))
    })
    expect(differencesOf(report)).toStrictEqual(['getInventory response'])
    expect(calls).toBe(2)
    expect(report.skipped).toBeGreaterThan(0)
  })

  it('is not called again after a few failures, and records that may be left behind are reported', async () => {
    const fetch = fetchOf()
    let requests = 0
    const report = await verify((url, init) => {
      requests += 1
      return requests > 200 ? Promise.reject(new Error('closed')) : fetch(url, init)
    })
    expect(report.failed).toBeGreaterThan(0)
    expect(skippedOf(report)).toContainEqual({ check: expect.any(String), reason: 'the service no longer responds' })
    expect(report.leftBehind.length).toBeGreaterThan(0)
    expect(report.leftBehind.map(({ reason }) => reason)).toContain('the service no longer responds')
    expect(report.changed).toStrictEqual([])
    // Three requests of the checks, and three of the clean-up.
    expect(requests).toBe(206)
  })

  it('may have created a record, which is found and reported, but not deleted', async () => {
    const petstore = createPetstore({ scenario: 'empty' })
    const stop = new AbortController()
    let names: string[] = []
    const closeOnce: Fetch = async (url, { signal, ...init }) => {
      const response = await petstore.fetch(url, init)
      if (init.method !== 'POST' || names.length > 0 || response.status !== 201) return response
      names = petstore.data.categories.all().map(({ name }) => name)
      stop.abort()
      throw new Error('closed')
    }
    const report = await verify(closeOnce, { signal: stop.signal })
    const [left] = petstore.data.categories.all()
    expect(names).toStrictEqual([left?.name])
    expect(report.leftBehind).toContainEqual({
      kind: 'category',
      id: String(left?.id),
      reason: 'the request to create it had no response',
    })
  })
})

describe('a check', () => {
  it('fails for every difference, also one that the checks of other operations found', async () => {
    // Only sold pets are altered, which the checks of other operations create.
    const sold: Alteration = (response) => {
      const isSold = (response.body as { status?: string } | undefined)?.status === 'sold'
      if (response.operation === 'createPet' && response.status === 201 && isSold) response.status = 200
    }
    const report = await verify(alterResponses(fetchOf(), sold))
    const own = operationsOf(report).find(({ operation }) => operation === 'createPet')
    expect(own?.differences).toStrictEqual([
      {
        aspect: 'status 201→200',
        sent: expect.stringMatching(/^POST \/pets \{"name":"Verify [0-9a-f]{8}-[0-9a-f]{4} \d+","categoryId":\d+/),
        expected: '201',
        received: '200',
        checks: expect.arrayContaining(['deleteCategory returns 409 CATEGORY_IN_USE while the category has pets']),
      },
    ])
    expect(report).toMatchObject({ differences: 1, skipped: 0 })
    const isOwn = own?.differences[0]?.checks.some((check) => check.startsWith('createPet '))
    expect(own?.failed.includes(IN_OTHER_CHECKS)).toBe(!isOwn)
    expect(own?.failed.length).toBeGreaterThan(0)
  })
})

describe('a service other than the Pet Store API', () => {
  const failing: Alteration = (response) => {
    response.status = 500
    response.body = { code: 'INTERNAL_ERROR', message: 'no', status: 500 }
  }
  const wrapping: Alteration = (response) => {
    if (Array.isArray(response.body)) response.body = { items: response.body }
  }

  it.each<[string, number, string, string, string]>([
    ['a page for everything', 200, '<html>', 'text/html', '200 with text/html'],
    ['another API', 404, '{"error":"not found"}', 'application/json', '404 with application/json'],
    [
      'the mock at another path',
      404,
      '{"code":"A","message":"b","status":404}',
      'application/json',
      'is the base address right',
    ],
    ['a service that needs a token', 401, '{"code":"A","message":"b","status":401}', 'application/json', '--header'],
    [
      'the mock at a host name that it does not accept',
      421,
      '{"code":"MISDIRECTED_REQUEST","message":"b","status":421}',
      'application/json',
      '421 MISDIRECTED_REQUEST with application/json; it does not accept this host name',
    ],
  ])('is recognised after a few requests: %s', async (_, status, body, type, mentioning) => {
    let requests = 0
    const run = verify(() => {
      requests += 1
      return Promise.resolve(new Response(body, { status, headers: { 'Content-Type': type } }))
    })
    await expect(run).rejects.toThrow(NotRecognised)
    await expect(run).rejects.toThrow(
      /^http:\/\/localhost does not look like a Pet Store API: GET \/pets, \/categories, \S+, \S+ returned \d+ /,
    )
    await expect(run).rejects.toThrow(mentioning)
    expect(requests).toBe(4)
  })

  it.each<[string, Alteration]>([
    ['every list fails', failing],
    ['lists are wrapped', wrapping],
  ])('is not assumed if %s', async (_, alter) => {
    const { differences } = await verify(alterResponses(fetchOf(), alter), { allowWrites: false })
    expect(differences).toBeGreaterThanOrEqual(4)
  })
})

it('deletes its records when it is stopped, including those of a pending request', async () => {
  const petstore = createPetstore({ scenario: 'empty' })
  const stop = new AbortController()
  let created = 0
  const report = await verify(
    async (url, init) => {
      const response = await petstore.fetch(new Request(url, init))
      if (init.method === 'POST' && response.status === 201 && ++created === 20) stop.abort()
      init.signal?.throwIfAborted()
      return response
    },
    { signal: stop.signal },
  )
  expect(created).toBe(20)
  expect(skippedOf(report)).toContainEqual({ check: expect.any(String), reason: 'the run was stopped' })
  expect(report).toMatchObject({ failed: 0, leftBehind: [] })
  for (const kind of ['categories', 'pets', 'orders'] as const) expect(petstore.data[kind].all()).toStrictEqual([])
})

it('deletes records created by requests that should have been rejected', async () => {
  const petstore = createPetstore({ scenario: 'empty', rules: 'off' })
  const report = await verify((url, { signal, ...init }) => petstore.fetch(url, init))
  expect(differencesOf(report)).toContain('createOrder status 422→201')
  // Without rules a completed order can be deleted too.
  expect(report.leftBehind).toStrictEqual([])
  for (const kind of ['categories', 'pets', 'orders'] as const) expect(petstore.data[kind].all()).toStrictEqual([])
})

it.each([
  ['', []],
  ['</a?x=1,2>; rel="next"', [['next', '/a?x=1,2']]],
  [
    '</a>; rel=first, </b>;title="x";rel="prev last"',
    [
      ['first', '/a'],
      ['prev', '/b'],
      ['last', '/b'],
    ],
  ],
  ['nonsense, </a>', []],
])('parses the links of %j', (text, expected) => {
  expect(parseLinks(text).map(({ relation, target }) => [relation, target])).toStrictEqual(expected)
})

describe('a service with three operations', () => {
  const OPERATIONS = ['listPets', 'getPet', 'createPet']
  const fetch = () =>
    alterResponses(fetchOf(), (response) => {
      if (response.operation === 'createPet' && response.status === 201) response.status = 200
      if (/^(?:OPTIONS|PATCH)/.test(response.method) || OPERATIONS.includes(response.operation ?? '')) return
      response.status = 404
      response.body = { code: 'ROUTE_NOT_FOUND', message: 'Unknown path.', status: 404 }
    })

  it('is checked with the category of a pet that it has', async () => {
    const report = await verify(fetch(), { allowWrites: true })
    const createPet = operationsOf(report).find(({ operation }) => operation === 'createPet')
    expect(createPet?.differences).toMatchObject([{ aspect: 'status 201→200' }])
    expect(createPet?.skipped).toStrictEqual([])
    expect(report.changed).toStrictEqual([])
  })

  it('can be limited to these operations', async () => {
    const report = await verify(fetch(), { allowWrites: true, operations: ['listPets', 'createPet'] })
    expect(operationsOf(report).map(({ operation }) => operation)).toStrictEqual(['listPets', 'createPet'])
    expect(report.groups.map(({ name }) => name)).toStrictEqual(['Pets'])
    expect(differencesOf(report)).toStrictEqual(['createPet status 201→200'])
  })
})

it('does not compare headers that are ignored', async () => {
  const fetch = alterResponses(fetchOf(), ({ headers }) => {
    for (const name of ['X-Stability', 'Deprecation', 'Sunset']) headers.delete(name)
  })
  const reads = { allowWrites: false }
  const before = differencesOf(await verify(fetch, reads))
  expect(before).toContain('listInventory header X-Stability')
  const some = differencesOf(await verify(fetch, { ...reads, ignoredHeaders: ['X-Stability'] }))
  expect(some).toStrictEqual(before.filter((each) => !each.endsWith('header X-Stability')))
})

it('reports fields that the OpenAPI document does not have, which are no differences', async () => {
  const fetch = alterResponses(
    fetchOf(),
    all(
      field('getPet', 'owner', () => 'Ann'),
      field('listPets', 'tags', () => []),
    ),
  )
  const report = await verify(fetch, { allowWrites: false })
  expect(differencesOf(report)).toStrictEqual([])
  const undeclared = operationsOf(report).filter((each) => each.undeclared.length > 0)
  expect(undeclared).toMatchObject([
    { operation: 'listPets', undeclared: ['tags'] },
    { operation: 'getPet', undeclared: ['owner'] },
  ])
})
