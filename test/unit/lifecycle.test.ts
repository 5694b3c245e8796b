import { describe, expect, it } from 'vitest'
import { lifecycleHeaders, sunsetOf } from '../../src/document/contract/operation.js'

const ENDING = { deprecated: true, 'x-deprecated-since': '2026-01-01', 'x-deprecated-sunset': '2030-12-05' }

describe('an operation that is deprecated and has a sunset', () => {
  it('has links under the path of the base address', () => {
    const { Link } = lifecycleHeaders('feedParrot', ENDING, '/sandbox/a')
    expect(Link?.match(/<[^>]*>/g)).toEqual(['</sandbox/a/docs#feedParrot>', '</sandbox/a/docs#feedParrot>'])
  })
})

describe('an operation that is deprecated', () => {
  it('without a sunset announces none', () => {
    const markers = { deprecated: true, 'x-deprecated-since': '1999-12-31' }
    expect(lifecycleHeaders('washDog', markers, '')).toEqual({
      Deprecation: '@946598400',
      Link: '</docs#washDog>; rel="deprecation"; type="text/html"',
    })
    expect(sunsetOf(markers)).toBeUndefined()
  })

  it('without a date counts as deprecated since 1970', () => {
    expect(lifecycleHeaders('washDog', { deprecated: true }, '').Deprecation).toBe('@0')
  })
})

describe('an operation that is not deprecated', () => {
  it('has no sunset, whatever dates the document has', () => {
    const markers = { ...ENDING, deprecated: false }
    expect(lifecycleHeaders('petCat', markers, '')).toEqual({})
    expect(sunsetOf(markers)).toBeUndefined()
  })
})
