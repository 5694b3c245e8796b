/** Parts of requests that are often parsed wrongly, and some valid ones. */

/** Names with a meaning in JavaScript, templates or shells, which must have none here. */
const HOSTILE = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '<script>', '{{7*7}}', '$(id)']

export const METHODS = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH'],
  ...['get', 'FOO'],
]

export const SEGMENTS = [
  ...['', '.', '..', '%2e%2e', '%2F', '%', '%zz', '%c3%28', '%00', '%F0%9F%90%95', ' ', '+', ';a=b', '~', '*', ':'],
  ...['1', '01', '-0', '+1', '1e0', '0x1', '1.0', '9007199254740993', '9223372036854775807', '9223372036854775808'],
  ...['-9223372036854775808', '-9223372036854775809', '9'.repeat(400), 'null', 'NaN', 'pets', 'PETS', 'orders'],
  ...['sandbox', '__admin', '%5f_admin', 'state', 'journal', 'a'.repeat(300), ...HOSTILE],
]

export const QUERY_NAMES = [
  ...['limit', 'offset', 'sort', 'status', 'name', 'categoryId', 'petId', 'complete', 'maxQuantity', 'since'],
  ...['operation', 'method', 'limit[]', '', '%zz', '%00', 'a'.repeat(200), ...HOSTILE],
]

export const QUERY_VALUES = [
  ...['1', '0', '-1', '100', '101', '05', '5.0', '1e1', '0x10', '%2B5', '99999999999999999999', 'NaN', 'null', 'true'],
  ...['available', 'sold', 'Available', 'available,sold', '-id', 'id', '-', '--id', 'nope', '%zz', '%c0%80'],
  ...['%E2%80%AE', 'a'.repeat(300), '%25', '+', '%F0%9F%90%95', 'listPets', 'get', 'İ', ...HOSTILE],
]

/** Valid and invalid values of each header. */
export const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    ...['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"', 'text/plain', ''],
    ...['application/json; charset=utf-16', 'application/vnd.x+json', 'application/json; charset=utf-8; charset=x'],
    ...[';', 'application/json, text/plain'],
  ],
  'content-encoding': ['gzip', 'identity', '', 'br, gzip'],
  accept: [
    ...['*/*', 'application/json', 'text/html', 'application/*;q=0', '*/*;q=0.0', 'application/json;q=', ',,,', ''],
    ...['text/event-stream', 'application/json;q=0, */*', 'a/b;c="', '"'.repeat(400), 'application/json;q=1e400'],
  ],
  prefer: [
    ...['code=503', 'code=404', 'code="500"', 'code=200', 'code=600', 'code', 'code=4040', 'respond-async, code=429'],
    ...['code=503; x="', '"'.repeat(200), 'CODE = 418', 'code=503, code=404', ','.repeat(200)],
  ],
  'x-petstore-sandbox': ['a', 'b', 'c', 'd', '.', '..', '', 'a/b', 'a,b', 'x'.repeat(64), 'x'.repeat(65), ...HOSTILE],
  origin: [
    ...['http://localhost', 'http://localhost:3000', 'https://evil.example', 'null', '', 'chrome-extension://x'],
    'http://[::1]',
  ],
  host: [
    ...['localhost', 'LOCALHOST:4010', '127.0.0.1:1', '[::1]:80', 'evil.example', '', 'a b', 'user@localhost'],
    ...['localhost:99999999', 'localhost.', 'localhost#', '127.1', ...HOSTILE],
  ],
  'sec-fetch-site': ['cross-site', 'same-site', 'same-origin', 'none', '', 'x'],
  'sec-fetch-mode': ['navigate', 'cors', 'no-cors', ''],
  'sec-fetch-dest': ['document', 'iframe', 'image', 'empty'],
  'access-control-request-method': ['PUT', 'FOO', ''],
  'access-control-request-headers': ['content-type', 'a,'.repeat(600), '\u00ff', ''],
  'if-none-match': ['*', 'W/"x"', ','.repeat(300)],
  'if-modified-since': ['Sat, 01 Jan 2099 00:00:00 GMT', 'x'],
  range: ['bytes=0-1', 'bytes=-1', 'x'],
  authorization: ['Bearer x', 'Basic eA==', ''],
  cookie: ['a=b; '.repeat(60), '__proto__=1'],
  'x-http-method-override': ['DELETE'],
  expect: ['100-continue', 'banana', ''],
  upgrade: ['websocket', 'h2c'],
  forwarded: ['for=1.2.3.4;host=evil.example'],
  ...Object.fromEntries(HOSTILE.filter((name) => /^\w+$/.test(name)).map((name) => [name.toLowerCase(), ['1']])),
}

/** JSON values; some are not valid JSON. */
export const VALUES = [
  ...[
    'null',
    'true',
    '""',
    '"x"',
    '0',
    '-0',
    '-1',
    '1.5',
    '1.0',
    '1e2',
    '1e400',
    '-1e400',
    '1e-400',
    '00',
    '1.',
    'NaN',
  ],
  ...['9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '9'.repeat(500)],
  ...[
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\\u202e"',
    '"a\\nb"',
    '"\\x"',
    '"unterminated',
    "'x'",
    '[]',
    '{}',
  ],
  ...['[1,2]', '[null]', '{"a":{"b":[]}}', '{"__proto__":{"polluted":1}}', '"available"', '"Sold"', '"P1D"', '600001'],
  ...['"2026-12-24t00:00:00.5z"', '"0000-01-01T00:00:00Z"', '"9999-12-31T23:59:59-23:59"', '"2016-12-31T23:59:60Z"'],
  ...['"2026-02-30T00:00:00Z"', `"${'x'.repeat(3000)}"`, '"P1Y2M3W4DT5H6M7.8S"', '[1,0]', '8640000000000001'],
  '-8640000000000001',
]

export const MEMBERS = [
  ...[
    '"__proto__":{"polluted":true}',
    '"constructor":{"prototype":{"polluted":1}}',
    '"name":"twice"',
    '"id":77',
    '"":0',
  ],
  ...[
    '"extra":[[[]]]',
    '"complete":true',
    '"quantity":2,"quantity":3',
    '"\\u006eame":"x"',
    '"toString":1',
    '"a":',
    'x',
  ],
]
