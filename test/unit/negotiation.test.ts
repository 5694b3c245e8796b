import { describe, expect, it } from 'vitest'
import { accepts, isJsonContentType, preferredOf } from '../../src/http/negotiation.js'

const JSON_ONLY = ['application/json']

describe('an Accept header admits JSON', () => {
  it.each([
    undefined,
    '',
    ' ',
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    ' application/json ',
    'application/json; charset=utf-8',
    'application/json;q=0.001',
    'application/json;Q=0.5',
    'text/html, application/json',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    '*/*;q=0, application/json',
    ', ,application/json,',
    'application/json;q=0, application/json;q=0.5',
  ])('when it is %j', (header) => {
    expect(accepts(header, JSON_ONLY)).toBe(true)
  })
})

describe('an Accept header excludes JSON', () => {
  it.each([
    'application/xml',
    'text/html',
    'application/json;q=0',
    'application/json;q=0, */*',
    'application/*;q=0, */*',
    '*/*;q=0',
    'application/vnd.other+json',
    'json',
    '*',
    'application/json;q=high',
  ])('when it is %j', (header) => {
    expect(accepts(header, JSON_ONLY)).toBe(false)
  })
})

describe('an Accept header', () => {
  it('needs to admit only one of several offered types', () => {
    const offers = ['application/yaml', 'application/json']
    expect(accepts('application/json', offers)).toBe(true)
    expect(accepts('application/yaml', offers)).toBe(true)
    expect(accepts('application/yaml;q=0, application/json;q=0', offers)).toBe(false)
  })

  it('is compared with the offered types, not with JSON', () => {
    expect(accepts('application/json', ['application/yaml'])).toBe(false)
    expect(accepts('application/*', ['application/yaml'])).toBe(true)
  })

  it('may have thousands of ranges', () => {
    const ranges = Array.from({ length: 5000 }, (_, index) => `text/x${index};q=0.5`).join(', ')
    expect(accepts(ranges, JSON_ONLY)).toBe(false)
    expect(accepts(`${ranges}, application/json`, JSON_ONLY)).toBe(true)
  })
})

describe('where every type of JSON accepts every other one', () => {
  const negotiation = { isAnyJson: true }

  it.each<[string, readonly string[], string | undefined]>([
    ['application/vnd.books.v3+json', ['application/json'], 'application/json'],
    ['APPLICATION/VND.BOOKS+JSON', ['text/plain', 'application/json'], 'application/json'],
    ['application/json', ['text/plain', 'application/hal+json'], 'application/hal+json'],
    [
      'application/json',
      ['application/hal+json', 'application/json; charset=utf-8'],
      'application/json; charset=utf-8',
    ],
    ['application/vnd.a+json', ['application/json', 'application/vnd.a+json'], 'application/vnd.a+json'],
    ['application/vnd.a+json, text/*;q=0.5', ['text/plain', 'application/json'], 'application/json'],
    ['application/json;q=0, application/vnd.a+json', ['application/json'], undefined],
    ['application/vnd.a+json;q=0, */*', ['application/json'], 'application/json'],
    ['application/xml', ['application/json'], undefined],
    ['application/jsonp, +json', ['application/json'], undefined],
  ])('%s prefers of %j %s', (header, offered, expected) => {
    expect(preferredOf(header, offered, negotiation)).toBe(expected)
    expect(accepts(header, offered, negotiation)).toBe(expected !== undefined)
  })
})

describe('a Content-Type is not JSON', () => {
  it.each([
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset="utf-8',
    'application/json, text/plain',
    '',
    'application/vnd.other+json',
    'application/json;\tcharset=utf-16',
  ])('when it is %j', (header) => {
    expect(isJsonContentType(header)).toBe(false)
  })
})
