import { describe, expect, it } from 'vitest'
import { findNearMiss } from '../../src/adapters/browser/near-miss.js'
import { resolveBaseAddresses } from '../../src/http/base-address.js'
import { petstoreService } from '../../src/petstore/service.js'

const PAGE = 'http://localhost:5173/shop'
const find = (url: string, base: string | string[] = '/api') =>
  findNearMiss(petstoreService.contract, url, resolveBaseAddresses(base, PAGE))

describe('a request is a near miss of the base address', () => {
  it.each([
    ['to another port', 'http://localhost:3000/api/pets/1', 'http://localhost:3000/api'],
    ['with another scheme', 'https://localhost:5173/api/pets', 'https://localhost:5173/api'],
    ['by another loopback name', 'http://127.0.0.1:5173/api/pets', 'http://127.0.0.1:5173/api'],
    ['without the prefix', 'http://localhost:5173/pets?limit=3', 'http://localhost:5173'],
    ['with the prefix twice', 'http://localhost:5173/api/api/pets', 'http://localhost:5173/api/api'],
    ['with a typo in the prefix', 'http://localhost:5173/apii/pets/7', 'http://localhost:5173/apii'],
  ])('%s', (_, url, sentTo) => {
    expect(find(url)).toEqual({ sentTo, base: 'http://localhost:5173/api' })
  })
})

describe('a request is none', () => {
  it.each([
    ['to the base address', 'http://localhost:5173/api/pets/1'],
    ['to another host', 'https://api.example/api/pets'],
    ['to another prefix of the same host', 'http://localhost:5173/cms/pets'],
    ['for a file', 'http://localhost:5173/pets/app.js'],
    ['for a path that the API does not have', 'http://localhost:5173/apii/news'],
  ])('%s', (_, url) => {
    expect(find(url)).toBeUndefined()
  })

  it('to another base address of the same mock', () => {
    expect(find('http://localhost:5173/apii/pets', ['/api', '/apii'])).toBeUndefined()
  })
})
