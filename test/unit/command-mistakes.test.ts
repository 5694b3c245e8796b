import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/cli/flag-values.js'
import { hasColour, type Output } from '../../src/cli/io.js'
import { findMisspelledVariables, parseCommand } from '../../src/cli/parse.js'
import { thrownBy } from '../support/thrown-by.js'

/** The message of the usage error for these arguments. */
const messageFor = (args: readonly string[]) => thrownBy(UsageError, () => parseCommand(args, {})).message

describe('a typo', () => {
  it.each<[string[], string]>([
    [['--prot=0'], 'Unknown flag --prot. Did you mean --port?'],
    [['--logFormat', 'json'], 'Unknown flag --logFormat. Did you mean --log-format?'],
    [['--max_body_bytes', '1'], 'Unknown flag --max_body_bytes. Did you mean --max-body-bytes?'],
    [['--hepl'], 'Unknown flag --hepl. Did you mean --help?'],
    [['-port', '0'], 'Unknown flag -port. Did you mean --port?'],
    [['-x'], 'Unknown flag -x.'],
    [['generate', '--prot', '0'], 'Unknown flag --prot.'],
    [['generate', '--pet', '5'], 'Unknown flag --pet. Did you mean --pets?'],
    [['verify', 'http://a.test', '--formt', 'json'], 'Unknown flag --formt. Did you mean --format?'],
    [['genrate'], 'Unknown command "genrate". Did you mean "generate"?'],
    [['Verify', 'http://a.test'], 'Unknown command "Verify". Did you mean "verify"?'],
    [['frobnicate'], 'Unknown command "frobnicate".'],
    [['4010'], 'Unknown command "4010". Did you mean --port 4010?'],
    [['busy'], 'Unknown command "busy". Did you mean --scenario busy?'],
    [['shop.yaml'], 'Unknown command "shop.yaml". Did you mean --fixtures shop.yaml?'],
    [['http://a.test'], 'Unknown command "http://a.test". Did you mean verify http://a.test?'],
    [['version'], 'Unknown command "version". Did you mean --version?'],
    [['--rules', 'of'], '--rules must be on or off. Received: "of". Did you mean "off"?'],
    [['--log-format', 'jsno'], '--log-format must be pretty or json. Received: "jsno". Did you mean "json"?'],
    [['verify', 'http://a.test', '--format', 'xml'], '--format must be text or json or junit. Received: "xml".'],
  ])('is reported with the nearest name: %j', (args, message) => {
    expect(messageFor(args)).toBe(message)
  })

  it('in the name of a variable is reported, and other variables are ignored', () => {
    const environment = {
      PETSTORE_PROT: 'secret',
      PETSTORE_LOGFORMAT: 'json',
      PETSTORE_PORT: '0',
      PETSTORE_READ_ONLY: 'true',
      PETSTORE_URL: 'http://a.test',
      PETSTORE_API_KEY: 'secret',
      PROT: '0',
    }
    expect(findMisspelledVariables(environment)).toStrictEqual([
      'Unknown environment variable PETSTORE_PROT. Did you mean PETSTORE_PORT?',
      'Unknown environment variable PETSTORE_LOGFORMAT. Did you mean PETSTORE_LOG_FORMAT?',
    ])
  })
})

describe('the host', () => {
  it.each([
    ['[::1]', '::1'],
    ['::1', '::1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['localhost', 'localhost'],
    ['0.0.0.0', '0.0.0.0'],
  ])('can be %s', (given, host) => {
    expect(parseCommand(['--host', given], {})).toMatchObject({ settings: { host } })
  })

  it.each(['http://localhost', 'localhost:80', '[::1]:80', '[localhost]', 'a b'])('cannot be %s', (given) => {
    expect(messageFor(['--host', given])).toBe(
      `--host must be an address such as 127.0.0.1, ::1 or localhost, without scheme and port. Received: "${given}".`,
    )
  })
})

it('does not show an invalid token', () => {
  const message = '--admin-token must be visible ASCII characters without spaces.'
  expect(messageFor(['--admin-token', 'my secret'])).toBe(message)
})

describe('colour', () => {
  const [terminal, pipe] = [{ isTTY: true }, {}]
  it.each([
    [terminal, {}, true],
    [pipe, {}, false],
    [terminal, { NO_COLOR: '1' }, false],
    [terminal, { NO_COLOR: '0' }, false],
    [terminal, { NO_COLOR: '' }, true],
    [terminal, { TERM: 'dumb' }, false],
    [pipe, { FORCE_COLOR: '1' }, true],
    [pipe, { FORCE_COLOR: '' }, false],
    [terminal, { FORCE_COLOR: '0' }, false],
    [terminal, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('on %j with %j: %j', (output, environment, expected) => {
    expect(hasColour(output as Output, environment)).toBe(expected)
  })
})
