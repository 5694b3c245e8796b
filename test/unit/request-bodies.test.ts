import { describe, expect, it } from 'vitest'
import { createContract } from '../../src/document/contract/contract.js'
import { headerParameter, parseMultipart } from '../../src/document/validate/bodies.js'
import { loadContract } from '../../src/engine/mock/load-contract.js'
import { ApiError } from '../../src/http/errors.js'
import { NO_LIMITS } from '../../src/http/limits.js'

const TOY = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    size: { type: 'integer' },
    price: { type: 'number' },
    isNew: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    maker: { type: 'object', properties: { city: { type: 'string' }, year: { type: 'integer' } } },
    photo: { type: 'string', format: 'binary' },
  },
}

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

type Content = Record<string, object>

/** What an operation that accepts this content reads from a body, or the error. */
async function read(content: Content, type: string | undefined, body: string, required = true): Promise<unknown> {
  const post = { operationId: 'post', requestBody: { required, content }, responses: { 200: { description: '' } } }
  const contract = createContract({ openapi: '3.0.3', paths: { '/': { post } } })
  await loadContract(contract)
  const headers = type === undefined ? {} : { 'content-type': type }
  const request = { method: 'POST', path: '/', query: '', base: '', headers, body: new TextEncoder().encode(body) }
  const operation = contract.matchOperation(request)
  if (operation === undefined) return 'no operation'
  try {
    return contract.parseBody(operation, request, NO_LIMITS)
  } catch (error) {
    return error
  }
}

const messageOf = (error: unknown) => (error instanceof ApiError ? error.message : error)

describe('a body', () => {
  it.each<[string, string, string, string, unknown]>([
    ['JSON', JSON_TYPE, JSON_TYPE, '{"name":"Bear"}', { name: 'Bear' }],
    ['JSON in UTF-8', JSON_TYPE, 'application/json; charset=utf-8', '{"name":"Bear"}', { name: 'Bear' }],
    ['a kind of JSON', 'application/vnd.toy+json', 'application/vnd.toy+json', '{"name":"Bear"}', { name: 'Bear' }],
    ['JSON in a range', 'application/*', JSON_TYPE, '{"name":"Bear"}', { name: 'Bear' }],
    ['JSON where all is accepted', '*/*', JSON_TYPE, '{"name":"Bear"}', { name: 'Bear' }],
    ['a form where all is accepted', '*/*', FORM, 'name=Bear', { name: 'Bear' }],
    [
      'a form',
      FORM,
      FORM,
      'name=Big+Bear&size=5&price=1.5&isNew=true',
      { name: 'Big Bear', size: 5, price: 1.5, isNew: true },
    ],
    ['a form with a list', FORM, FORM, 'name=Bear&tags=a&tags=b', { name: 'Bear', tags: ['a', 'b'] }],
    ['a form with a list of one', FORM, FORM, 'name=Bear&tags=a', { name: 'Bear', tags: ['a'] }],
    ['a form with a list in brackets', FORM, FORM, 'name=Bear&tags[]=a', { name: 'Bear', tags: ['a'] }],
    [
      'a form with an object',
      FORM,
      FORM,
      'name=Bear&maker[city]=Ulm&maker[year]=1990',
      { name: 'Bear', maker: { city: 'Ulm', year: 1990 } },
    ],
    [
      'a form with a JSON object',
      FORM,
      FORM,
      'name=Bear&maker=%7B%22year%22:1990%7D',
      { name: 'Bear', maker: { year: 1990 } },
    ],
    [
      'a form with the name of a prototype',
      FORM,
      FORM,
      'name=Bear&__proto__[a]=b',
      JSON.parse('{"name":"Bear","__proto__":{"a":"b"}}'),
    ],
    ['what nobody checks', 'application/xml', 'application/xml', '<toy/>', { size: 6, type: 'application/xml' }],
    ['an image in a range', 'image/*', 'image/png', '....', { size: 4, type: 'image/png' }],
  ])('is %s', async (_, declared, type, body, value) => {
    expect(await read({ [declared]: { schema: TOY } }, type, body)).toEqual(value)
  })

  it('may be text', async () => {
    expect(await read({ 'text/plain': { schema: { type: 'string' } } }, 'text/plain', 'true')).toBe('true')
    const tooLong = await read({ 'text/plain': { schema: { type: 'string', maxLength: 3 } } }, 'text/plain', 'true')
    expect(messageOf(tooLong)).toBe('the body must be a string of 0 to 3 characters, but is the string "true"')
  })

  it('is checked by the schema of its media type', async () => {
    const content = { [JSON_TYPE]: { schema: TOY }, [FORM]: { schema: { properties: { size: { type: 'integer' } } } } }
    expect(messageOf(await read(content, JSON_TYPE, '{}'))).toBe('/name is missing: it must be a string')
    expect(await read(content, FORM, 'size=1')).toEqual({ size: 1 })
    expect(messageOf(await read(content, FORM, 'size=big'))).toContain('/size must be an integer')
  })

  it('may have lists in one field of a form', async () => {
    const encoding = { tags: { style: 'form', explode: false } }
    expect(await read({ [FORM]: { schema: TOY, encoding } }, FORM, 'name=Bear&tags=a,b')).toMatchObject({
      tags: ['a', 'b'],
    })
  })

  it('may be left out if it is not required', async () => {
    expect(await read({ [JSON_TYPE]: { schema: TOY } }, undefined, '', false)).toBeUndefined()
    expect(await read({ [JSON_TYPE]: { schema: TOY } }, JSON_TYPE, '', false)).toBeUndefined()
  })
})

describe('rejects a body that', () => {
  const content = { [JSON_TYPE]: { schema: TOY }, [FORM]: { schema: TOY } }

  it.each<[string, string | undefined, string, number, string]>([
    [
      'is empty',
      undefined,
      '',
      400,
      'Request body is empty. Send application/json or application/x-www-form-urlencoded.',
    ],
    [
      'has no type',
      undefined,
      '{}',
      415,
      'Request body has no Content-Type. Set it to application/json or application/x-www-form-urlencoded.',
    ],
    [
      'has another type',
      'text/plain',
      '{}',
      415,
      'Content-Type must be application/json or application/x-www-form-urlencoded. Received: "text/plain".',
    ],
    [
      'has another charset',
      'application/json; charset=latin1',
      '{}',
      415,
      'Content-Type must be application/json or application/x-www-form-urlencoded in UTF-8. Received: "application/json; charset=latin1".',
    ],
    ['is no JSON', JSON_TYPE, '{', 400, 'Request body is not valid JSON.'],
    [
      'is no form',
      FORM,
      'a=%zz',
      400,
      'Request body is not a valid form: a % is not followed by two hexadecimal digits.',
    ],
  ])('%s', async (_, type, body, status, message) => {
    expect(await read(content, type, body)).toMatchObject({ status, message })
  })

  it('has another type, and says which are accepted', async () => {
    const accepted = 'application/json, application/x-www-form-urlencoded'
    expect(await read(content, 'text/plain', '{}')).toMatchObject({ headers: { 'Accept-Post': accepted } })
  })

  it.each([
    ['multipart/form-data', '--x--', 'The Content-Type of the multipart request body has no boundary.'],
    ['multipart/form-data; boundary=x', 'name=Bear', 'Request body is not valid multipart/form-data.'],
  ])('is no multipart form: %s', async (type, body, message) => {
    expect(messageOf(await read({ [MULTIPART]: { schema: TOY } }, type, body))).toBe(message)
  })
})

describe('a multipart form', () => {
  const part = (headers: string[], content: string) => `--x\r\n${headers.join('\r\n')}\r\n\r\n${content}\r\n`
  const field = (name: string, content: string, more: string[] = []) =>
    part([`Content-Disposition: form-data; name="${name}"`, ...more], content)
  const readForm = (...parts: string[]) =>
    read({ [MULTIPART]: { schema: TOY } }, 'multipart/form-data; boundary="x"', `${parts.join('')}--x--\r\n`)

  it('has fields, lists and objects', async () => {
    const form = await readForm(
      field('name', 'Zoë'),
      field('size', '5'),
      field('tags', 'a'),
      field('maker[year]', '1990'),
    )
    expect(form).toEqual({ name: 'Zoë', size: 5, tags: ['a'], maker: { year: 1990 } })
  })

  it('has files with their names, sizes and types', async () => {
    const disposition = 'content-disposition: form-data; name="photo"; filename="a \\"b\\".png"'
    const form = await readForm(field('name', 'Bear'), part([disposition, 'Content-Type: image/png'], 'é\r\n--'))
    expect(form).toEqual({ name: 'Bear', photo: { name: 'a "b".png', size: 6, type: 'image/png' } })
  })

  it('has parts that are JSON', async () => {
    const form = await readForm(
      field('name', 'Bear'),
      field('maker', '{"year":1990}', ['Content-Type: application/json']),
    )
    expect(form).toEqual({ name: 'Bear', maker: { year: 1990 } })
  })

  it('is checked by the schema', async () => {
    expect(messageOf(await readForm(field('size', 'big')))).toBe('/name is missing: it must be a string')
  })

  it('is the same as a FormData of the platform', async () => {
    const form = new FormData()
    form.append('name', 'Bear "\r\n--')
    form.append('tags', '')
    form.append('photo', new Blob(['..'], { type: 'image/png' }), 'a"b.png')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const type = request.headers.get('content-type') ?? ''
    expect(await read({ [MULTIPART]: { schema: TOY } }, type, await request.text())).toEqual({
      name: 'Bear "\r\n--',
      tags: [''],
      photo: { name: 'a"b.png', size: 2, type: 'image/png' },
    })
  })

  const textsOf = (text: string) =>
    parseMultipart(new TextEncoder().encode(text), 'x')?.map(({ content }) => new TextDecoder().decode(content))

  it.each<[string, string[] | undefined]>([
    ['--x--', []],
    ['--x\r\n\r\na\r\n--x--', ['a']],
    ['preamble\r\n--x\r\n\r\na\r\n--x  \r\n\r\nb\r\n--x--\r\nepilogue', ['a', 'b']],
    ['--x\r\nA: b\r\n\r\n\r\n--x--', ['']],
    ['--x\r\n\r\n\r\n--x--', ['']],
    ['--x\r\n\r\na\r\n--xy\r\n--x--', undefined],
    ['--x\r\n\r\na', undefined],
    ['--x\r\nA: b\r\n--x--', undefined],
    ['', undefined],
  ])('%j has the parts %j', (text, parts) => {
    expect(textsOf(text)).toEqual(parts)
  })

  it.each([
    ['form-data; name="a;b"; filename=c', 'name', 'a;b'],
    ['form-data; name="a;b"; filename=c', 'filename', 'c'],
    ['multipart/form-data; Boundary=x ', 'boundary', 'x'],
    ['form-data', 'name', undefined],
  ])('%s has the parameter %s', (header, name, value) => {
    expect(headerParameter(header, name)).toBe(value)
  })
})
