import { describe, expect, it } from 'vitest'
import { preferredStatus } from '../../src/http/prefer.js'

describe('Prefer', () => {
  it.each<[string, number]>([
    ['code=503', 503],
    ['code=400', 400],
    ['code="503"', 503],
    ['Code=503', 503],
    ['  code\t=\t"503"  ', 503],
    ['code=503; foo=bar', 503],
    ['respond-async;wait=10,code=503,return=minimal', 503],
    ['return=minimal; foo="some, thing", code=404', 404],
    [', ,code=503', 503],
    ['code=503, code=404', 503],
  ])('%s requests %i', (header, status) => {
    expect(preferredStatus(header)).toBe(status)
  })

  it.each<[string | undefined]>([
    [undefined],
    [''],
    ['code'],
    ['code=""'],
    ['code=200'],
    ['code=399'],
    ['code=600'],
    ['code=5030'],
    ['code=503.0'],
    ['code=0x1f7'],
    ['code=５０３'],
    ['code=503"'],
    ['code=503 404'],
    ['statuscode=503'],
    ['foo; code=503'],
    ['foo="a, code=503"'],
    ['foo="a\\", code=503"'],
    ['foo="never closed, code=503'],
    // Only the first one counts, even if it is invalid.
    ['code=200, code=503'],
    ['code, code=503'],
  ])('%s requests nothing', (header) => {
    expect(preferredStatus(header)).toBeUndefined()
  })

  it('parses a long header in linear time', () => {
    const blanks = ' '.repeat(200_000)
    const headers = [
      `code${blanks}x`,
      `code=${blanks}"x`,
      `code=${blanks}5 03${blanks}x`,
      `${'"\\'.repeat(100_000)}code=503`,
      `${'a,'.repeat(100_000)}code=50`,
      `${'"'.repeat(99_999)},code=503`,
    ]
    for (const header of headers) expect(preferredStatus(header)).toBeUndefined()
    expect(preferredStatus(`${'a,'.repeat(100_000)}code=503`)).toBe(503)
  })
})
