import { describe, expect, it } from 'vitest'
import { hasColour } from '../../src/cli/colour.js'
import { parseCommand } from '../../src/cli/parse.js'
import { UsageError } from '../../src/cli/usage-error.js'
import { findMisspelled } from '../../src/cli/variables.js'
import { thrownBy } from '../support/thrown-by.js'

/** What goes wrong with these arguments, in the words of the command line. */
const complaint = (args: readonly string[]) => thrownBy(UsageError, () => parseCommand(args, {})).message

describe('a typo', () => {
  it.each<[string[], string]>([
    [['--prot', '0'], 'unknown flag --prot; did you mean --port?'],
    [['--prot=0'], 'unknown flag --prot; did you mean --port?'],
    [['--sceanrio', 'busy'], 'unknown flag --sceanrio; did you mean --scenario?'],
    [['--logFormat', 'json'], 'unknown flag --logFormat; did you mean --log-format?'],
    [['--max_body_bytes', '1'], 'unknown flag --max_body_bytes; did you mean --max-body-bytes?'],
    [['--hepl'], 'unknown flag --hepl; did you mean --help?'],
    [['-port', '0'], 'unknown flag -port; did you mean --port?'],
    [['-open'], 'unknown flag -open; did you mean --open?'],
    [['--bogus'], 'unknown flag --bogus'],
    [['-x'], 'unknown flag -x'],
    [['generate', '--prot', '0'], 'unknown flag --prot'],
    [['generate', '--pet', '5'], 'unknown flag --pet; did you mean --pets?'],
    [['verify', 'http://a.test', '--formt', 'json'], 'unknown flag --formt; did you mean --format?'],
    [['genrate'], 'unknown command "genrate"; did you mean generate?'],
    [['Verify', 'http://a.test'], 'unknown command "Verify"; did you mean verify?'],
    [['frobnicate'], 'unknown command "frobnicate"'],
    [['4010'], 'unknown command "4010"; did you mean --port 4010?'],
    [['busy'], 'unknown command "busy"; did you mean --scenario busy?'],
    [['shop.yaml'], 'unknown command "shop.yaml"; did you mean --fixtures shop.yaml?'],
    [['http://a.test'], 'unknown command "http://a.test"; did you mean verify http://a.test?'],
    [['version'], 'unknown command "version"; did you mean --version?'],
    [['--rules', 'of'], '--rules must be on or off, but is "of"; did you mean off?'],
    [['--rules', 'maybe'], '--rules must be on or off, but is "maybe"'],
    [['--log-format', 'jsno'], '--log-format must be pretty or json, but is "jsno"; did you mean json?'],
    [['verify', 'http://a.test', '--format', 'xml'], '--format must be text or json or junit, but is "xml"'],
  ])('is answered with the nearest, where one is near: %j', (args, message) => {
    expect(complaint(args)).toBe(message)
  })

  it('in the name of a variable is warned of, and what may belong to others is left alone', () => {
    const environment = {
      PETSTORE_PROT: 'secret',
      PETSTORE_LOGFORMAT: 'json',
      PETSTORE_PORT: '0',
      PETSTORE_READ_ONLY: 'true',
      PETSTORE_URL: 'http://a.test',
      PETSTORE_API_KEY: 'secret',
      PROT: '0',
    }
    expect(findMisspelled(environment)).toStrictEqual([
      'there is no variable PETSTORE_PROT; did you mean PETSTORE_PORT?',
      'there is no variable PETSTORE_LOGFORMAT; did you mean PETSTORE_LOG_FORMAT?',
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
  ])('is taken as %s', (given, host) => {
    expect(parseCommand(['--host', given], {})).toMatchObject({ settings: { host } })
  })

  it.each(['http://localhost', 'localhost:80', '[::1]:80', '[localhost]', 'a b'])('is not taken as %s', (given) => {
    expect(complaint(['--host', given])).toBe(
      `--host must be an address such as 127.0.0.1, ::1 or localhost, without scheme and port, but is "${given}"`,
    )
  })
})

it.each([
  ['300-100', '--delay must have the smaller number first, such as 100-300, but is "300-100"'],
  ['600001', '--delay must be at most 600000 milliseconds, but is "600001"'],
  ['0-600001', '--delay must be at most 600000 milliseconds, but is "0-600001"'],
  ['soon', '--delay must be milliseconds such as 200, or 100-300, but is "soon"'],
])('speaks of the flag where a delay is %s', (value, message) => {
  expect(complaint(['--delay', value])).toBe(message)
})

it('does not repeat a secret that it cannot use', () => {
  const message = '--admin-token must be a text of visible characters without blanks'
  expect(complaint(['--admin-token', 'my secret'])).toBe(message)
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
    expect(hasColour(output, environment)).toBe(expected)
  })
})
