import { describe, expect, it } from 'vitest'
import { createPetstore, type PetstoreOptions } from '../../src/index.js'
import { parseLinks } from '../../src/verify/headers.js'
import { NotAPetStore, ServiceUnreachable } from '../../src/verify/recognise.js'
import { ON_THE_WAY, type Report } from '../../src/verify/report.js'
import type { Fetch } from '../../src/verify/sender.js'
import { type VerifyOptions, verifyService } from '../../src/verify/verify.js'
import { type Alteration, all, alterResponses, errorField, field, header, status } from '../support/alter-responses.js'

const BASE = 'http://localhost'

function fetchOf(options: PetstoreOptions = {}): Fetch {
  const petstore = createPetstore(options)
  return (url, init) => petstore.fetch(new Request(url, init))
}

function verify(fetch: Fetch, options: Partial<VerifyOptions> = {}): Promise<Report> {
  return verifyService({ baseUrl: BASE, fetch, readOnly: false, headers: [], timeoutMs: 10_000, ...options })
}

function differencesOf({ groups }: Report): string[] {
  const operations = groups.flatMap((group) => group.operations)
  return operations.flatMap(({ operation, differences }) => differences.map(({ aspect }) => `${operation} ${aspect}`))
}

async function findSpoiled(spoil: Alteration, options?: Partial<VerifyOptions>): Promise<string[]> {
  return differencesOf(await verify(alterResponses(fetchOf(), spoil), options))
}

describe('a service that keeps to the contract', () => {
  it.each(['default', 'empty', 'big-ids', 'edge-cases', 'sold-out'] as const)(
    'passes, with the data of %s',
    async (scenario) => {
      const petstore = createPetstore({ scenario })
      await petstore.ready
      const sizes = () =>
        [petstore.data.categories, petstore.data.pets, petstore.data.orders].map((each) => each.all().length)
      const before = sizes()
      const report = await verify((url, init) => petstore.fetch(new Request(url, init)))
      expect(differencesOf(report)).toStrictEqual([])
      expect(report).toMatchObject({ baseUrl: BASE, failed: 0, skipped: 0 })
      expect(report.groups.map(({ name }) => name)).toStrictEqual(['Pets', 'Store'])
      expect(report.groups.flatMap(({ operations }) => operations)).toHaveLength(18)
      for (const { passed } of report.groups.flatMap(({ operations }) => operations))
        expect(passed).not.toStrictEqual([])
      // Two orders were completed, which nobody can delete; everything else is as it was.
      expect(report.leftBehind).toStrictEqual([0, 1].map(() => expect.stringMatching(/^order \d+ \(DELETE: 409\)$/)))
      const [categories, pets, orders = 0] = before
      expect(sizes()).toStrictEqual([categories, pets, orders + 2])
    },
  )

  it('passes while other clients change its data', async () => {
    const fetch = fetchOf()
    const reports = await Promise.all([verify(fetch), verify(fetch), verify(fetch, { readOnly: true })])
    expect(reports.map(differencesOf)).toStrictEqual([[], [], []])
  })

  it('is asked one thing after the other, and only by reading where that is all that is allowed', async () => {
    const fetch = fetchOf()
    const methods = new Set<string>()
    let running = 0
    const report = await verify(
      async (url, init) => {
        methods.add(init.method ?? '')
        expect(++running).toBe(1)
        return fetch(url, init).finally(() => running--)
      },
      { readOnly: true },
    )
    expect([...methods].sort()).toStrictEqual(['GET', 'HEAD', 'OPTIONS'])
    expect(report).toMatchObject({ failed: 0, leftBehind: [] })
    expect(report.passed).toBeGreaterThan(50)
    expect(report.skipped).toBeGreaterThan(50)
    const skipped = report.groups.flatMap(({ operations }) => operations).flatMap((operation) => operation.skipped)
    expect(new Set(skipped.map(({ reason }) => reason))).toStrictEqual(new Set(['it would change data']))
  })

  it('is sent the headers that were given, with every request', async () => {
    const fetch = fetchOf()
    const asked: (string | null)[] = []
    await verify(
      (url, init) => {
        asked.push(new Headers(init.headers).get('authorization'))
        return fetch(url, init)
      },
      { headers: [['Authorization', 'Bearer secret']], readOnly: true },
    )
    expect(new Set(asked)).toStrictEqual(new Set(['Bearer secret']))
  })
})

const onlySuccess =
  (spoil: Alteration): Alteration =>
  (answer) => {
    if (answer.status < 300) spoil(answer)
  }

const asHtml: Alteration = (answer) => {
  if (answer.operation === 'getCategory' && answer.status === 200) answer.body = '<html>'
}

const allowingMore: Alteration = ({ path, headers }) => {
  if (/^\/pets\/\d+$/.test(path) && headers.has('Allow')) headers.set('Allow', 'GET, HEAD, PUT, DELETE, PATCH, OPTIONS')
}

const nextId = (id: unknown): unknown => Number(id) + 1

describe('what is spoiled', () => {
  it.each<[string, Record<string, Alteration>]>([
    ['one status', { 'createPet status 201→200': status('createPet', 201, 200) }],
    ['a success that is said to be a fault', { 'createPet status 201→500': status('createPet', 201, 500) }],
    ['a refusal that is said to be a success', { 'getOrder status 404→200': status('getOrder', 404, 200) }],
    ['one member', { 'listPets body /*/name': field('listPets', 'name') }],
    ['the ids of a list', { 'listPets body /*/id': field('listPets', 'id') }],
    ['the ids of what is made', { 'createPet body /id': field('createPet', 'id') }],
    ['the ids of what is made, with those of others', { 'createOrder body /id': field('createOrder', 'id', () => 1) }],
    ['one header', { 'getPet header Sunset': header('getPet', 'Sunset') }],
    ['the code of errors', { 'updateOrder error body /code': errorField('updateOrder', 'code', 'ERROR') }],
    [
      'a status, a header and another header of one answer',
      {
        'createPet header Location': onlySuccess(header('createPet', 'Location', '/nowhere')),
        'createPet header X-Stability': header('createPet', 'X-Stability', 'gold'),
        'createPet status 201→200': status('createPet', 201, 200),
      },
    ],
    [
      'statuses',
      {
        'createPet status 201→202': status('createPet', 201, 202),
        'getPet status 404→410': status('getPet', 404, 410),
        'deletePet status 204→200': status('deletePet', 204, 200),
        'deleteCategory status 409→400': status('deleteCategory', 409, 400),
        'listOrders status 200→206': status('listOrders', 200, 206),
        'getOrder status 404→400': status('getOrder', 404, 400),
        'updateOrder status 409→422': status('updateOrder', 409, 422),
        'updateInventory status 415→400': status('updateInventory', 415, 400),
      },
    ],
    [
      'members',
      {
        'listPets body /*/status': field('listPets', 'status'),
        'createPet body /id': field('createPet', 'id', nextId),
        'getCategory body': asHtml,
        'updateCategory body /name': field('updateCategory', 'name', () => 'Other'),
        'listOrders body /*/id': field('listOrders', 'id'),
        'getOrder body /id': field('getOrder', 'id', String),
        'getOrder body /shipDate': field('getOrder', 'shipDate', (date) => date && String(date).replace('.000Z', 'Z')),
        'listInventory body /*/quantity': field('listInventory', 'quantity', nextId),
        'getInventory body /petId': field('getInventory', 'petId'),
        'getInventory body /quantity': field('getInventory', 'quantity', () => 1.5),
        'getInventory body /status': field('getInventory', 'status'),
      },
    ],
    [
      'members of errors',
      {
        'listPets error body /message': errorField('listPets', 'message', ''),
        'getPet error body /code': errorField('getPet', 'code'),
        'deletePet error body /stack': errorField('deletePet', 'stack', 'at x'),
        'createOrder error body /status': errorField('createOrder', 'status', 500),
      },
    ],
    [
      'headers',
      {
        'listPets header X-Total-Count': header('listPets', 'X-Total-Count'),
        'getPet header Deprecation': header('getPet', 'Deprecation', '@0'),
        'getPet header Link': header('getPet', 'Link'),
        'getPet header Allow': allowingMore,
        'updatePet header X-Stability': header('updatePet', 'X-Stability', 'beta'),
        'listCategories header Link': header('listCategories', 'Link'),
        'createCategory header Location': onlySuccess(header('createCategory', 'Location', '/pets/1')),
        'getCategory header Content-Type': header('getCategory', 'Content-Type', 'text/html'),
        'listOrders header X-Stability': header('listOrders', 'X-Stability', 'beta'),
        'createOrder header Location': header('createOrder', 'Location'),
        'createOrder header Accept-Post': header('createOrder', 'Accept-Post', 'text/plain'),
        'updateOrder header Accept-Patch': header('updateOrder', 'Accept-Patch'),
        'listInventory header X-Total-Count': onlySuccess(header('listInventory', 'X-Total-Count', '0')),
      },
    ],
  ])('is told of, and nothing else: %s', async (_, spoils) => {
    const found = await findSpoiled(all(...Object.values(spoils)))
    expect(found.sort()).toStrictEqual(Object.keys(spoils).sort())
  })

  it('is told of, and nothing else, by reading too', async () => {
    const spoils = {
      'getPet status 200→203': status('getPet', 200, 203),
      'getPet header Sunset': header('getPet', 'Sunset'),
      'listCategories body /*/name': field('listCategories', 'name'),
      'getOrder error body /code': errorField('getOrder', 'code', 'ERROR'),
    }
    const found = await findSpoiled(all(...Object.values(spoils)), { readOnly: true })
    expect(found.sort()).toStrictEqual(Object.keys(spoils).sort())
  })

  it('is told with what was sent, expected and received, and with the checks that ran into it', async () => {
    const report = await verify(alterResponses(fetchOf(), status('createPet', 201, 200)))
    const operations = report.groups.flatMap((group) => group.operations)
    expect(operations.find(({ operation }) => operation === 'createPet')?.differences).toStrictEqual([
      {
        aspect: 'status 201→200',
        sent: expect.stringMatching(/^POST \/pets \{"name":"Verify [0-9a-f]{8} \d+","categoryId":\d+/),
        expected: '201',
        received: '200',
        checks: expect.arrayContaining(['createPet stores what it is given, and says where']),
      },
    ])
    expect(report).toMatchObject({ differences: 1, skipped: 0 })
  })
})

describe('a service that does not answer', () => {
  it('is said to be out of reach, with the reason', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const run = verify(() => Promise.reject(new TypeError('fetch failed', { cause: refused })))
    await expect(run).rejects.toThrow(ServiceUnreachable)
    await expect(run).rejects.toThrow(`${BASE} does not answer: the connection was refused`)
  })

  it('is not waited for longer than it was given', async () => {
    const never: Fetch = (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    await expect(verify(never, { timeoutMs: 5 })).rejects.toThrow('nothing within 5 ms')
  })

  it('is asked for an operation no more than twice where that never answers', async () => {
    const fetch = fetchOf()
    let asked = 0
    const report = await verify((url, init) => {
      if (init.method !== 'GET' || !/inventory\/\d+$/.test(url)) return fetch(url, init)
      asked += 1
      return Promise.reject(new Error('cut off'))
    })
    expect(differencesOf(report)).toStrictEqual(['getInventory answer'])
    expect(asked).toBe(2)
    expect(report.skipped).toBeGreaterThan(0)
  })

  it('is left alone once it answers nothing any more, and everything else is skipped', async () => {
    const fetch = fetchOf()
    let asked = 0
    const report = await verify((url, init) => {
      asked += 1
      return asked > 100 ? Promise.reject(new Error('gone')) : fetch(url, init)
    })
    expect(report.failed).toBeGreaterThan(0)
    const skipped = report.groups.flatMap(({ operations }) => operations).flatMap((operation) => operation.skipped)
    expect(skipped).toContainEqual({ check: expect.any(String), reason: 'the service no longer answers' })
    expect(report.leftBehind.length).toBeGreaterThan(0)
    // Three times for the checks, and three times to remove what was made.
    expect(asked).toBe(106)
  })
})

it('does not follow a redirect', async () => {
  const fetch = fetchOf()
  const report = await verify((url, init) => {
    expect(init.redirect).toBe('manual')
    if (!url.includes('/pets')) return fetch(url, init)
    return Promise.resolve(new Response(null, { status: 301, headers: { Location: 'http://elsewhere.test/' } }))
  })
  expect(differencesOf(report)).toContain('listPets status 200→301')
})

describe('a check', () => {
  const operationsOf = ({ groups }: Report) => groups.flatMap(({ operations }) => operations)
  const namesOf = (report: Report) =>
    operationsOf(report).map(({ operation, passed, failed, skipped }) => [
      operation,
      [...passed, ...failed, ...skipped.map(({ check }) => check)].sort(),
    ])

  it('has the same name, once, whether it passes, fails or is left out', async () => {
    const green = await verify(fetchOf())
    const red = await verify(alterResponses(fetchOf(), all(status('createPet', 201, 200), header('getPet', 'Sunset'))))
    const partial = await verify(fetchOf(), { readOnly: true })
    for (const [operation, names = []] of namesOf(green) as [string, string[]][]) {
      expect(new Set(names).size, operation).toBe(names.length)
    }
    expect(namesOf(red)).toStrictEqual(namesOf(green))
    expect(namesOf(partial)).toStrictEqual(namesOf(green))
    for (const report of [green, red, partial]) {
      expect(report.passed + report.failed + report.skipped).toBe(namesOf(green).flatMap(([, names]) => names).length)
    }
    expect(red).toMatchObject({ differences: 2 })
    expect(red.failed).toBeGreaterThan(2)
  })

  it('fails wherever something was found, be it by the checks of others', async () => {
    // Only a pet that others make, and that is sold, is spoiled.
    const sold: Alteration = ({ operation, body, headers }) => {
      if (operation === 'createPet' && (body as { status?: string })?.status === 'sold') headers.delete('X-Stability')
    }
    const report = await verify(alterResponses(fetchOf(), sold))
    const own = operationsOf(report).find(({ operation }) => operation === 'createPet')
    expect(differencesOf(report)).toStrictEqual(['createPet header X-Stability'])
    expect(own?.failed.length).toBeGreaterThan(0)
    for (const { failed, differences } of operationsOf(report)) {
      expect(failed.length > 0).toBe(differences.length > 0)
    }
    const isOwn = own?.differences[0]?.checks.some((check) => check.startsWith('createPet '))
    expect(own?.failed.includes(ON_THE_WAY)).toBe(!isOwn)
  })
})

describe('what is no pet store', () => {
  const failing: Alteration = (answer) => {
    answer.status = 500
    answer.body = { code: 'INTERNAL_ERROR', message: 'no', status: 500 }
  }
  const wrapping: Alteration = (answer) => {
    if (Array.isArray(answer.body)) answer.body = { items: answer.body }
  }
  const answering = (status: number, body: string, type: string) => {
    let asked = 0
    const fetch: Fetch = () => {
      asked += 1
      return Promise.resolve(new Response(body, { status, headers: { 'Content-Type': type } }))
    }
    return { fetch, asked: () => asked }
  }

  it.each<[string, number, string, string, string]>([
    ['a page for everything', 200, '<html>', 'text/html', '200 with text/html'],
    ['no page at all', 404, 'Not found', 'text/plain', '404 with text/plain'],
    ['a server of something else', 404, '{"error":"not found"}', 'application/json', '404 with application/json'],
    [
      'the mock at another path',
      404,
      '{"code":"A","message":"b","status":404}',
      'application/json',
      'base address right',
    ],
    ['somebody who wants a token', 401, '{"code":"A","message":"b","status":401}', 'application/json', '--header'],
    ['a text that is JSON', 200, '"ok"', 'application/json', '200 with application/json'],
  ])('is recognised after a few requests: %s', async (_, status, body, type, mentioning) => {
    const { fetch, asked } = answering(status, body, type)
    const run = verify(fetch)
    await expect(run).rejects.toThrow(NotAPetStore)
    await expect(run).rejects.toThrow(
      /^http:\/\/localhost does not look like a pet store: GET \/pets, \/categories, \S+, \S+ answer \d+ /,
    )
    await expect(run).rejects.toThrow(mentioning)
    expect(asked()).toBe(4)
  })

  it.each<[string, Alteration]>([
    ['every list fails', failing],
    ['it wraps its lists', wrapping],
    ['it calls everything text', ({ headers }) => headers.set('Content-Type', 'text/plain')],
  ])('is not what is judged where %s', async (_, spoil) => {
    const { differences } = await verify(alterResponses(fetchOf(), spoil), { readOnly: true })
    expect(differences).toBeGreaterThanOrEqual(4)
  })

  it('is not taken for one whose first answer is cut off', async () => {
    const fetch = fetchOf()
    let asked = 0
    const report = await verify((url, init) => {
      asked += 1
      return asked === 1 ? Promise.reject(new Error('cut off')) : fetch(url, init)
    })
    expect(report).toMatchObject({ failed: 0, skipped: 0 })
  })
})

it('removes what it made when it is stopped in the middle', async () => {
  const petstore = createPetstore({ scenario: 'empty' })
  const stop = new AbortController()
  let asked = 0
  const report = await verify(
    (url, init) => {
      asked += 1
      if (asked === 300) stop.abort()
      return petstore.fetch(new Request(url, init))
    },
    { signal: stop.signal },
  )
  expect(report.skipped).toBeGreaterThan(0)
  expect(report.failed).toBe(0)
  expect(petstore.data.pets.all()).toStrictEqual([])
  expect(petstore.data.categories.all()).toStrictEqual([])
})

it('removes what it made where it should have been refused', async () => {
  const petstore = createPetstore({ scenario: 'empty', rules: 'off' })
  const report = await verify((url, init) => petstore.fetch(new Request(url, init)))
  expect(differencesOf(report)).toContain('createOrder status 422→201')
  // Without rules a complete order can be deleted as well.
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
])('reads the links of %j', (text, expected) => {
  expect(parseLinks(text).map(({ relation, target }) => [relation, target])).toStrictEqual(expected)
})
