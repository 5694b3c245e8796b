import { describe, expect, it } from 'vitest'
import { toClientHeaders, toMockAddress, toUpstreamHeaders } from '../../src/engine/pipeline/upstream-headers.js'

describe('an address in a response of the upstream', () => {
  it.each([
    ['/v1/pets', '/pets'],
    ['http://up/v1/pets?a=1#b', '/pets?a=1#b'],
    ['pets', '/pets'],
    ['http://up/v1', '/'],
    ['/v1?a=1', '/?a=1'],
    ['/v1#a', '/#a'],
    ['http://up/v1//evil.example/', 'http://up/v1//evil.example/'],
    ['/v1//evil.example/', 'http://up/v1//evil.example/'],
    ['/v1/\\evil.example/', 'http://up/v1/\\evil.example/'],
    ['/v1/\t/evil.example/', 'http://up/v1/\t/evil.example/'],
    ['/v1x/pets', 'http://up/v1x/pets'],
    ['//evil.example/v1', '//evil.example/v1'],
    ['/\\evil.example/v1', '/\\evil.example/v1'],
    ['http://up:81/v1/pets', 'http://up:81/v1/pets'],
  ])('%j becomes %j, and leads to the same place', (address, expected) => {
    expect(toMockAddress(address, '/v1/pets', { upstream: new URL('http://up/v1/'), base: '' })).toBe(expected)
  })

  it('has the path of the mock, and of nothing else', () => {
    const place = { upstream: new URL('http://up'), base: '/api' }
    const addresses = ['/', 'http://up', '/?a=1', '//up/pets', '/\\evil.example', 'http://up//evil.example']
    expect(addresses.map((address) => toMockAddress(address, '/pets', place))).toEqual([
      '/api/',
      '/api/',
      '/api/?a=1',
      '/api/pets',
      '/\\evil.example',
      'http://up//evil.example',
    ])
  })
})

describe('what a request says about its page', () => {
  const upstream = new URL('https://up.example/v1')
  const sent = (headers: Record<string, string>) =>
    toUpstreamHeaders(
      { method: 'GET', path: '/', query: '', base: '', headers: { host: 'mock.example', ...headers } },
      upstream,
    )

  it.each([
    'http://localhost:5173',
    'http://app.localhost',
    'http://127.0.0.1',
    'http://[::1]:80',
    'http://mock.example',
  ])('is that of a page of the upstream if it is of %s', (origin) => {
    const referer = 'HTTP://localhost:80/shop?a=1'
    expect(sent({ origin, referer, 'sec-fetch-site': 'cross-site' })).toMatchObject({
      origin: 'https://up.example',
      referer: 'https://up.example/shop?a=1',
      'sec-fetch-site': 'same-origin',
    })
  })

  it.each([{ origin: 'https://evil.example' }, { referer: 'https://evil.example/localhost' }])(
    'stays as it came if it is of another site: %j',
    (given) => {
      const headers = { ...given, 'sec-fetch-site': 'cross-site' }
      expect(sent(headers)).toMatchObject(headers)
    },
  )
})

it('a cookie that loses Secure loses what browsers accept only with it', () => {
  const received = {
    status: 200,
    headers: [['Set-Cookie', 'a=1; Secure; Partitioned; SameSite=None; HttpOnly']] as const,
  }
  const headers = (protocol?: 'HTTP/2') =>
    toClientHeaders(
      received,
      { method: 'GET', target: '/', headers: {} },
      { method: 'GET', path: '/', query: '', base: '', headers: {}, ...(protocol && { protocol }) },
      new URL('https://up.example'),
    )
  expect(headers()).toEqual({ 'Set-Cookie': 'a=1; HttpOnly' })
  expect(headers('HTTP/2')).toEqual({ 'Set-Cookie': 'a=1; Secure; Partitioned; SameSite=None; HttpOnly' })
})

it.each([
  ['Bearer own-token', undefined],
  ['bearer  own-token ', undefined],
  ['Bearer another', 'Bearer another'],
  ['Basic own-token', 'Basic own-token'],
])('the token of the admin API is not sent to the upstream: %s', (authorization, expected) => {
  const request = { method: 'GET', path: '/', query: '', base: '', headers: { authorization } }
  const url = new URL('https://up.example')
  expect(toUpstreamHeaders(request, url, 'own-token').authorization).toBe(expected)
  expect(toUpstreamHeaders(request, url).authorization).toBe(authorization)
})
