import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Api, Refusal } from '../../src/dashboard/api.js'
import { kindOf } from '../../src/dashboard/data/kinds.js'
import { toBody, toValues } from '../../src/dashboard/data/values.js'
import { createEventReader } from '../../src/dashboard/event-stream.js'
import { EMPTY_RULE, toRule } from '../../src/dashboard/faults/rule.js'
import { followJournal } from '../../src/dashboard/journal.js'
import { prettyJson, toPieces } from '../../src/dashboard/pretty.js'
import { splitRoute, toRoute } from '../../src/dashboard/router.js'
import { baseOfSandbox, splitBase } from '../../src/dashboard/sandbox-address.js'
import { bodyText, quoteForShell, targetOf, toCurl, toFetch } from '../../src/dashboard/snippets.js'
import type { JournalEntry } from '../../src/dashboard/types.js'
import { readSunset } from '../../src/dashboard/world/sunset.js'
import { createPetstore } from '../../src/index.js'

const entry = (given: Partial<JournalEntry> = {}): JournalEntry => ({
  id: 1,
  at: '2026-03-31T09:30:00.000Z',
  method: 'GET',
  path: '/pets',
  query: {},
  params: {},
  status: 200,
  durationMs: 1,
  request: { headers: {} },
  response: { headers: {} },
  ...given,
})

describe('The reader of events', () => {
  const stream =
    'retry: 1000\n\nevent: state\ndata: {"a":1}\n\n: still here\n\nevent: reset\r\ndata: x\r\ndata: y\r\n\r\n'
  const events = [
    { name: 'state', data: '{"a":1}' },
    { name: 'reset', data: 'x\ny' },
  ]

  it('reads events wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 8 }), (cuts) => {
        const read = createEventReader()
        const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
        const pieces = places.slice(1).map((end, index) => stream.slice(places[index], end))
        expect(pieces.flatMap(read)).toEqual(events)
      }),
    )
  })

  it('keeps an event back that is not complete', () => {
    const read = createEventReader()
    expect(read('event: state\ndata: {}\n')).toEqual([])
    expect(read('\n')).toEqual([{ name: 'state', data: '{}' }])
  })
})

describe('Snippets', () => {
  it('quote any text as one word for a shell', () => {
    const texts = [`it's`, '$(id) `id` $HOME', 'a\nb', '"', '\\', '', '!', '*', "''"]
    const command = `printf '%s\\0' ${texts.map(quoteForShell).join(' ')}`
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(`${texts.join('\0')}\0`)
  })

  it('repeat a request with its query, its own headers and its body, exactly', () => {
    const posted = entry({
      method: 'POST',
      path: '/pets',
      query: { status: ['sold', 'pending'], name: 'a&b' },
      request: {
        headers: { 'content-type': 'application/json', host: 'x', 'sec-fetch-mode': 'cors', 'x-empty': '' },
        body: { categoryId: 9223372036854775807n },
      },
    })
    expect(toCurl('http://localhost:4010', posted)).toBe(
      [
        "curl -X POST --globoff --path-as-is 'http://localhost:4010/pets?status=sold&status=pending&name=a%26b' \\",
        "  -H 'content-type: application/json' \\",
        "  -H 'x-empty;' \\",
        `  --data-raw '{"categoryId":9223372036854775807}'`,
      ].join('\n'),
    )
    expect(toFetch('http://localhost:4010', posted)).toContain(String.raw`body: "{\"categoryId\":9223372036854775807}"`)
  })

  it('say what they cannot repeat', () => {
    const secret = entry({ request: { headers: { cookie: '(hidden)' }, body: 'abc', cut: true } })
    expect(toCurl('', secret)).toMatch(
      /^# the journal hides the header cookie.*\n# the journal keeps only the beginning/,
    )
    expect(toFetch('', secret)).toMatch(/^\/\/ the journal hides/)
  })

  it('tell a JSON text from a body that is no JSON', () => {
    const headers = { 'content-type': 'application/json' }
    const refused = (code: string) =>
      entry({ request: { headers, body: 'abc' }, response: { headers, body: { code } } })
    const textOf = (given: JournalEntry) => bodyText(given, given.request)
    expect(textOf(refused('MALFORMED_BODY'))).toBe('abc')
    expect(textOf(refused('INVALID_REQUEST'))).toBe('"abc"')
    expect(textOf(entry())).toBe(undefined)
  })

  it('write a query as it was sent', () => {
    expect(targetOf(entry({ query: { limit: 0, complete: true, petId: 9007199254740993n } }))).toBe(
      '/pets?limit=0&complete=true&petId=9007199254740993',
    )
  })
})

describe('JSON for people', () => {
  it('has line breaks, and large integers digit for digit', () => {
    expect(prettyJson({ a: [1n, 9223372036854775807n], b: {}, c: [] })).toBe(
      '{\n  "a": [\n    1,\n    9223372036854775807\n  ],\n  "b": {},\n  "c": []\n}',
    )
  })

  it('means the same as without them, and its pieces make up all of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = prettyJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(
          toPieces(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })
})

describe('Routes', () => {
  it('are put together and taken apart again', () => {
    const route = toRoute('/data/pets', { name: 'a&b?', sort: '', offset: undefined })
    expect(route).toBe('/data/pets?name=a%26b%3F')
    const { segments, query } = splitRoute(route)
    expect([segments, query.get('name')]).toEqual([['data', 'pets'], 'a&b?'])
    expect(splitRoute('/requests/%zz').segments).toEqual(['requests', '%zz'])
  })

  it('know the sandbox of a base address', () => {
    expect(splitBase('http://x:1/sandbox/a.b')).toEqual({ root: 'http://x:1', sandbox: 'a.b' })
    expect(splitBase('http://x:1')).toEqual({ root: 'http://x:1', sandbox: undefined })
    expect(baseOfSandbox('http://x:1', 'a')).toBe('http://x:1/sandbox/a')
  })
})

describe('Forms', () => {
  it('send ids exactly, leave out what is empty, and leave it to the API to object', () => {
    const pets = kindOf('pets')
    const values = { name: '', categoryId: '9223372036854775807', status: '' }
    expect(toBody(pets, ['name', 'categoryId', 'status'], values, undefined)).toEqual({
      name: '',
      categoryId: 9223372036854775807n,
    })
    expect(toBody(pets, ['categoryId'], { categoryId: 'dogs' }, undefined)).toEqual({ categoryId: 'dogs' })
  })

  it('send only what was changed where the API changes fields', () => {
    const orders = kindOf('orders')
    const before = toValues(orders, { id: 1, petId: 2, quantity: 3, complete: false })
    const values = { ...before, complete: 'true' }
    expect(toBody(orders, orders.edit.fields, values, before)).toEqual({ complete: true })
  })

  it('make fault rules that the mock takes', () => {
    const petstore = createPetstore()
    const rules = [
      toRule(EMPTY_RULE),
      toRule({ ...EMPTY_RULE, status: '' }),
      toRule({ ...EMPTY_RULE, kind: 'delay', delay: '5', delayMost: '9', probability: '0.5' }),
      toRule({ ...EMPTY_RULE, kind: 'timeout', operation: 'getPet', delay: '7', times: '', after: '2' }),
    ]
    expect(rules).toEqual([
      { status: 503, times: 1 },
      { kind: 'error', times: 1 },
      { kind: 'delay', delayMs: [5, 9], times: 1, probability: 0.5 },
      { kind: 'timeout', operation: 'getPet', after: 2 },
    ])
    for (const rule of rules) petstore.faults.add(rule)
    expect(petstore.faults.list()).toHaveLength(4)
  })

  it('know which field a refusal is about', () => {
    const fieldOf = (message: string, code = 'INVALID_REQUEST') => new Refusal(code, message, 400).field
    expect(fieldOf('/name must be a string, but is null')).toBe('name')
    expect(fieldOf('query parameter limit must be an integer')).toBe('limit')
    expect(fieldOf('the fault rule cannot be used: /delayMs is missing: slow needs it')).toBe('delayMs')
    expect(fieldOf('pet 3 is sold', 'PET_NOT_AVAILABLE')).toBe('petId')
    expect(fieldOf('there is no pet with id 1')).toBe(undefined)
  })
})

describe('The sunset', () => {
  it('is read from the document', () => {
    expect(readSunset(createPetstore().coverage() as never)).toEqual({
      operations: ['getPet'],
      day: '2030-12-05',
      after: '2030-12-05T00:00:01.000Z',
    })
  })
})

describe('The follower of the journal', () => {
  /** A control plane that is the journal of a pet store, and the paths it was asked for. */
  function follow() {
    const petstore = createPetstore()
    const asked: string[] = []
    const api = {
      async control(method: string, path: string) {
        asked.push(path)
        if (method === 'DELETE') return petstore.journal.clear()
        const query = new URLSearchParams(path.split('?')[1])
        const { journal } = petstore
        return { entries: journal.entries({ since: Number(query.get('since')) }), total: journal.total, evicted: 0 }
      },
    } as unknown as Api
    const ask = (path: string) => petstore.fetch(new Request(`http://localhost${path}`))
    return { ask, asked, petstore, ...followJournal(api) }
  }

  it('reads what came since what it knows', async () => {
    const { ask, asked, view, catchUp } = follow()
    await ask('/pets/1')
    await catchUp()
    await ask('/pets/2')
    await catchUp()
    expect(view.get().entries.map(({ path }) => path)).toEqual(['/pets/1', '/pets/2'])
    expect(asked.map((path) => /since=(\d+)/.exec(path)?.[1])).toEqual(['0', '0'])
    await ask('/pets/3')
    await catchUp()
    expect(asked.at(-1)).toContain('since=1')
  })

  it('begins anew when the journal did', async () => {
    const { ask, view, catchUp, petstore } = follow()
    petstore.clock.freeze()
    await ask('/pets/1')
    await ask('/pets/2')
    await catchUp()
    petstore.journal.clear()
    await ask('/pets/1')
    await ask('/pets/4')
    await ask('/pets/5')
    await catchUp()
    expect(view.get().entries.map(({ path }) => path)).toEqual(['/pets/1', '/pets/4', '/pets/5'])
    expect(view.get().total).toBe(3)
  })

  it('holds back what comes while it is paused', async () => {
    const { ask, view, catchUp, setPaused } = follow()
    await ask('/pets/1')
    await catchUp()
    setPaused(true)
    await ask('/pets/2')
    await catchUp()
    expect([view.get().entries.length, view.get().waiting.length]).toEqual([1, 1])
    setPaused(false)
    expect(view.get().entries.map(({ path }) => path)).toEqual(['/pets/1', '/pets/2'])
  })
})

describe('The styles', () => {
  it('are the same in a page of its own and in the page of an application', () => {
    const read = (file: string) => readFileSync(new URL(`../../src/dashboard/${file}`, import.meta.url), 'utf8')
    const imported = [...read('dashboard.css').matchAll(/@import "\.\/styles\/(.+)\.css"/g)].map(([, name]) => name)
    const [, list = ''] = /= \[([^\]]+)\]/.exec(read('styles/index.ts')) ?? []
    expect(
      list
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ).toEqual(imported)
  })
})
