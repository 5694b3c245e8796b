import { describe, expect, it } from 'vitest'
import { createProgressLine, progressOption } from '../../src/cli/commands/generate.js'
import { UsageError } from '../../src/cli/flag-values.js'
import { COMMAND_NAMES, flagsOf, SERVE_FLAGS } from '../../src/cli/flags.js'
import { commandHelp, generalHelp } from '../../src/cli/help.js'
import { findMisspelledVariables, parseCommand } from '../../src/cli/parse.js'
import { listScenarios } from '../../src/petstore/fixtures/scenarios.js'
import { createPetstore } from '../../src/petstore/service.js'
import { library } from '../support/library.js'
import { thrownBy } from '../support/thrown-by.js'

const FLAGS = flagsOf('serve')

const DEFAULTS = { quiet: false, logFormat: 'pretty' }

/** The message of the usage error for these arguments. */
const messageFor = (args: readonly string[], env: NodeJS.ProcessEnv = {}): string =>
  thrownBy(UsageError, () => parseCommand(args, env)).message

/** The parsed command without the sources of its settings, which have their own test. */
function parse(args: readonly string[], env: NodeJS.ProcessEnv = {}): object {
  const { sources, ...command } = { sources: {}, ...parseCommand(args, env) }
  return command
}

function settingsOf(args: readonly string[], env: NodeJS.ProcessEnv = {}): object {
  const command = parseCommand(args, env)
  expect(command.name).toBe('serve')
  return command.name === 'serve' ? command.settings : {}
}

describe('the command', () => {
  it.each([[[]], [['serve']]])('is serve for %j', (args) => {
    expect(parse(args)).toStrictEqual({ name: 'serve', argument: '', settings: DEFAULTS })
  })

  it('generate uses only its own flags and environment variables', () => {
    const environment = { PETSTORE_PORT: 'abc', PETSTORE_WATCH: 'true', PETSTORE_ORDERS: '9', PETSTORE_PETS: '8' }
    const args = ['generate', '--seed', '7', '--scenario', 'busy', '--categories=2', '--pets', '5']
    const settings = { format: 'json', seed: 7, scenario: 'busy', categories: 2, pets: 5, orders: 9 }
    expect(parse(args, environment)).toStrictEqual({ name: 'generate', argument: '', settings })
    expect(parse(['generate'])).toStrictEqual({ name: 'generate', argument: '', settings: { format: 'json' } })
  })

  it('leaves out sizes of the Pet Store that variables give when it is for another service', () => {
    const environment = { PETSTORE_PETS: '5', PETSTORE_SIZE: 'books=3' }
    expect(settingsOf([], environment)).toMatchObject({ pets: 5 })
    const settings = { ...DEFAULTS, sizes: { books: 3 } }
    const files = [{ name: undefined, file: 'a.yaml' }]
    expect(settingsOf(['--document', 'a.yaml'], environment)).toEqual({ ...settings, documents: files })
    expect(settingsOf([], { ...environment, PETSTORE_SERVICE: 'a.yaml' })).toEqual({ ...settings, services: files })
    // Given on purpose: it is rejected.
    expect(settingsOf(['--document', 'a.yaml', '--pets', '5'])).toMatchObject({ pets: 5 })
  })

  it.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['--version', 'version'],
    ['-v', 'version'],
  ])('%s is %s, whatever the environment', (flag, name) => {
    expect(parseCommand([flag], { PETSTORE_PORT: 'abc' })).toStrictEqual({ name })
    expect(parseCommand([flag, '--port', '0'], {})).toStrictEqual({ name })
  })

  it.each(COMMAND_NAMES)('%s has its own help', (of) => {
    expect(parseCommand(['help', of], {})).toStrictEqual({ name: 'help', of })
    expect(parseCommand([of, '--help'], {})).toStrictEqual({ name: 'help', of })
    expect(parseCommand(['-h', of, '--bogus'], {})).toStrictEqual({ name: 'help', of })
  })

  it.each([
    [[''], 'command'],
    [['serve', 'twice'], 'twice'],
    [['generate', 'serve'], 'serve'],
    [['generate', '--pets', 'x'], '--pets'],
    [['--', 'frobnicate'], 'frobnicate'],
    [['--quiet', 'true'], 'true'],
    [['--read-only'], 'serve does not accept --read-only.'],
    [['generate', '--port', '0'], 'generate does not accept --port.'],
    [['init'], 'init requires the folder that your web server serves, for example: petstore-mock init public.'],
    [['init', ''], 'init requires the folder that your web server serves'],
    [['init', 'public', 'static'], 'Unexpected argument "static".'],
    [['init', 'public', '--format', 'json'], 'init does not accept --format.'],
    [['verify'], 'verify requires the base URL of a running service, for example: '],
    [['verify', ''], 'verify requires the base URL of a running service, for example: '],
    [['verify', 'http://a.test', 'http://b.test'], 'b.test'],
    [['verify', 'http://a.test', '--timeout', '0'], '--timeout must be a whole number from 1 to 600000.'],
    [['verify', 'http://a.test', '--timeout', '600001'], '--timeout must be a whole number from 1 to 600000.'],
    [['spec', 'http://a.test'], 'Unexpected argument "http://a.test".'],
    [['spec', '--format', 'junit'], '--format must be yaml or json'],
  ])('rejects %j', (args, part) => {
    expect(messageFor(args)).toContain(part)
  })
})

describe('verify', () => {
  const URL = 'http://127.0.0.1:4010'
  const SETTINGS = { format: 'text', headers: [], timeout: 10_000 }

  it.each<[string[], object, object?]>([
    [[], {}],
    [['--read-only'], { readOnly: true }],
    [['--allow-writes'], { allowWrites: true }],
    [[], { allowWrites: true }, { PETSTORE_ALLOW_WRITES: 'true' }],
    [['--allow-writes'], { allowWrites: true, readOnly: false }, { PETSTORE_READ_ONLY: 'false' }],
    [['--format', 'junit'], { format: 'junit' }],
    [['--timeout=1'], { timeout: 1 }],
    [['--header', 'X-A: b'], { headers: [['X-A', 'b']] }],
    [
      ['--header', 'A:b: c, d ', '--header=E: \u00e9'],
      {
        headers: [
          ['A', 'b: c, d'],
          ['E', '\u00e9'],
        ],
      },
    ],
    [
      [],
      {
        readOnly: true,
        format: 'json',
        timeout: 5,
        headers: [
          ['A', 'b, c'],
          ['D', 'e'],
        ],
      },
      { PETSTORE_READ_ONLY: 'true', PETSTORE_FORMAT: 'json', PETSTORE_TIMEOUT: '5', PETSTORE_HEADER: 'A: b, c\nD: e' },
    ],
    [['--format', 'text'], {}, { PETSTORE_FORMAT: 'json', PETSTORE_PORT: 'abc' }],
  ])('reads %j', (args, expected, env = {}) => {
    const settings = { ...SETTINGS, ...expected }
    expect(parse(['verify', URL, ...args], env as NodeJS.ProcessEnv)).toStrictEqual({
      name: 'verify',
      argument: URL,
      settings,
    })
  })

  it.each([
    ['http://127.0.0.1:4010/', URL],
    ['HTTP://127.0.0.1:4010//', URL],
    ['https://pets.example/api/v1/', 'https://pets.example/api/v1'],
    ['http://[::1]:80', 'http://[::1]'],
  ])('reads the base URL %s', (text, argument) => {
    expect(parse(['verify', text])).toMatchObject({ argument })
  })

  it.each([
    '127.0.0.1:4010',
    'localhost',
    'ftp://pets.example',
    'http://',
    'http://pets.example?x=1',
    'http://pets.example/#x',
    'http://a:b@pets.example',
    'x'.repeat(10_000),
    'http://a\u001b[31m',
  ])('rejects the base URL %s in one short line', (text) => {
    const message = messageFor(['verify', text])
    expect(message).toMatch(/^The base URL must /)
    expect(message).not.toMatch(/\p{Cc}/u)
    expect(message.length).toBeLessThan(250)
  })

  it.each([
    'secret',
    ': secret',
    'a b: secret',
    'A: secret\r\nB: c',
    'A:',
    'A: \u0416',
    'Content-Length: 7',
    'host: x',
  ])('rejects the header %j without showing it', (header) => {
    const message = messageFor(['verify', URL, `--header=${header}`])
    expect(message).toMatch(/^--header (?:must be a name, a colon and a value|cannot set)/)
    expect(message).not.toContain('secret')
  })

  it.each([
    [['--read-only', '--allow-writes'], {}, '--read-only and --allow-writes'],
    [['--allow-writes'], { PETSTORE_READ_ONLY: 'true' }, 'PETSTORE_READ_ONLY and --allow-writes'],
    [['--read-only'], { PETSTORE_ALLOW_WRITES: 'true' }, '--read-only and PETSTORE_ALLOW_WRITES'],
  ])('rejects %j with the environment %j', (args, env, names) => {
    expect(() => parse(['verify', URL, ...args], env as NodeJS.ProcessEnv)).toThrow(`${names} contradict each other.`)
  })
})

describe('pull', () => {
  const URL = 'http://127.0.0.1:4010'
  const SETTINGS = { headers: [], timeout: 10_000 }

  it.each<[string[], string, object, object?]>([
    [[URL], URL, {}],
    [[`${URL}/api/`, '--limit', '5'], `${URL}/api`, { limit: 5 }],
    [[URL, '-o', 'a.yaml', '--force'], URL, { output: 'a.yaml', force: true }],
    [
      [URL, '--header', 'A: b', '--timeout=5', '--ca', 'ca.pem'],
      URL,
      { headers: [['A', 'b']], timeout: 5, ca: 'ca.pem' },
    ],
    [['--har', 'a.har'], '', { har: 'a.har' }],
    [[URL, '--har', 'a.har'], URL, { har: 'a.har' }],
    [[], '', { har: 'a.har', headers: [['A', 'b']] }, { PETSTORE_HAR: 'a.har', PETSTORE_HEADER: 'A: b' }],
  ])('reads %j', (args, argument, expected, env = {}) => {
    const settings = { ...SETTINGS, ...expected }
    expect(parse(['pull', ...args], env as NodeJS.ProcessEnv)).toStrictEqual({ name: 'pull', argument, settings })
  })

  it.each([
    [[], 'pull requires the base URL of a running service, --har <file> or --reproduction <file>, for example: '],
    [[''], 'pull requires the base URL of a running service, --har <file> or --reproduction <file>, for example: '],
    [['', '--har', 'a.har'], 'The base URL must be a URL'],
    [['http://a:secret@pets.example'], 'The base URL must not contain a password.'],
    [['shop.har'], 'The base URL must be a URL'],
    [[URL, '--limit', '0'], '--limit must be a whole number of 1 or more'],
    [[URL, '--force'], '--force requires --output.'],
    [['--har', 'a.har', '--limit', '5'], '--limit cannot be combined with --har.'],
    [['--har', 'a.har', '--header', 'A: secret'], '--header cannot be combined with --har.'],
  ])('rejects %j', (args, part) => {
    expect(messageFor(['pull', ...args])).toContain(part)
    expect(messageFor(['pull', ...args])).not.toContain('secret')
  })
})

it.each([
  [['--https-cert', 'a.pem', '--https-key', 'b.pem'], '--https-cert requires --https.'],
  [['--https', '--https-cert', 'a.pem'], '--https-cert requires --https-key.'],
  [['--https', '--https-key', 'a.pem'], '--https-key requires --https-cert.'],
  [['--https-client-ca', 'a.pem'], '--https-client-ca requires --https.'],
  [['--cors-credentials'], '--cors-credentials requires --cors.'],
])('serve rejects %j', (args, message) => {
  expect(messageFor(args)).toBe(message)
})

it('spec prints YAML by default', () => {
  expect(parse(['spec'])).toStrictEqual({ name: 'spec', argument: '', settings: { format: 'yaml' } })
  expect(parse(['spec', '--format', 'json'])).toMatchObject({ settings: { format: 'json' } })
  expect(parse(['spec'], { PETSTORE_FORMAT: 'json' })).toMatchObject({ settings: { format: 'json' } })
})

it('keeps the name that each setting was read from', () => {
  const env = { PETSTORE_SEED: '5', PETSTORE_PORT: '1', PETSTORE_MAX_JSON_DEPTH: '9' }
  expect(parseCommand(['-p', '0', '--log-format=json'], env)).toMatchObject({
    sources: { port: '-p', logFormat: '--log-format', seed: 'PETSTORE_SEED', maxJsonDepth: 'PETSTORE_MAX_JSON_DEPTH' },
  })
})

describe('a flag', () => {
  it.each([
    [['--port', '0'], { port: 0 }],
    [['--port=65535'], { port: 65535 }],
    [['-p', '8080'], { port: 8080 }],
    [['-p8080'], { port: 8080 }],
    [['--host', '::1'], { host: '::1' }],
    [['--seed', '7'], { seed: 7 }],
    [['--delay', '100-300'], { delay: [100, 300] }],
    [['--scenario', 'empty'], { scenario: 'empty' }],
    [['--pets', '100000'], { pets: 100_000 }],
    [['--fixtures', 'a b.yaml'], { fixtures: 'a b.yaml' }],
    [['--watch', '--fixtures', 'a.json'], { fixtures: 'a.json', watch: true }],
    [['--rules', 'off'], { rules: 'off' }],
    [['--strict'], { strict: true }],
    [['--max-body-bytes', '10'], { maxBodyBytes: 10 }],
    [['--admin-token', '-secret-'], { adminToken: '-secret-' }],
    [['--cors', 'https://a.example', '--cors=https://b.example'], { cors: ['https://a.example', 'https://b.example'] }],
    [['--strict', 'serve', '--port', '1'], { strict: true, port: 1 }],
  ])('is read from %j', (args, expected) => {
    expect(settingsOf(args)).toStrictEqual({ ...DEFAULTS, ...expected })
  })

  it.each(['--bogus=1', '--Port', '--no-quiet', '--constructor', '--__proto__', '-P'])(
    'is rejected if it is unknown: %s',
    (flag) => {
      expect(messageFor([flag])).toContain(flag.split('=')[0])
    },
  )

  it.each(Object.entries(FLAGS))('--%s is given once, with a value or without', (name, { value, separator }) => {
    const flag = `--${name}`
    const valid = value === undefined ? [flag] : [flag, validValue(value)]
    const withoutValue = [[flag], [flag, '--quiet'], [flag, ''], [`${flag}=`]]
    const invalid = [
      ...(value === undefined ? [[`${flag}=yes`]] : withoutValue),
      ...(separator === undefined ? [[...valid, ...valid]] : []),
    ]
    for (const args of invalid) expect(messageFor(args)).toContain(flag)
  })

  it('accepts a value that looks like a flag if it follows an equals sign', () => {
    expect(settingsOf(['--admin-token=--abc'])).toMatchObject({ adminToken: '--abc' })
  })

  it.each([
    [
      '--port',
      ['70000', '65536', '-1', 'abc', '80.0', '1e3', '0x50', ' 80', '+80', '٣', '999999999999'],
      'a whole number from 0 to 65535',
    ],
    ['--seed', ['x', '-1', '1.5', 'abc', '1e3', '0x10', '007', ' 7', '+7', 'NaN'], 'a whole number of 0 or more'],
    ['--seed', ['9'.repeat(30), '9007199254740993'], 'a whole number from 0 to 9007199254740991'],
    ['--pets', ['-1', '1.5', '1e5', '100,000'], 'a whole number of 0 or more'],
    ['--rules', ['maybe', 'ON', 'true', ' on'], 'on or off'],
    [
      '--delay',
      ['-1', '1.5', 'slow', '100-', '-300', '100-200-300', '100 - 200', '007', '300-100', '600001', '0-600001'],
      'milliseconds from 0 to 600000, such as 200 or 100-300',
    ],
  ])('%s rejects %j', (flag, values, expected) => {
    for (const value of values) {
      expect(messageFor([`${flag}=${value}`])).toContain(`${flag} must be ${expected}. Received: "${value}".`)
    }
  })

  it('is rejected in one short line, whatever the value', () => {
    for (const value of ['a\nb', 'a\r\nb', '\u001b[31mred', 'x'.repeat(100_000)]) {
      for (const args of [[`--rules=${value}`], [`--seed=${value}`], [`--${value}`], [value]]) {
        const message = messageFor(args)
        expect(message).not.toMatch(/\p{Cc}/u)
        expect(message.length).toBeLessThan(500)
      }
    }
  })
})

describe('the environment', () => {
  it.each([
    ['PETSTORE_PORT', '0', { port: 0 }],
    ['PETSTORE_STRICT', 'true', { strict: true }],
    ['PETSTORE_STRICT', 'false', { strict: false }],
    ['PETSTORE_MAX_BODY_BYTES', '10', { maxBodyBytes: 10 }],
    ['PETSTORE_CORS', 'https://a.example, https://b.example', { cors: ['https://a.example', 'https://b.example'] }],
  ])('has %s=%s', (name, value, expected) => {
    expect(settingsOf([], { [name]: value })).toStrictEqual({ ...DEFAULTS, ...expected })
  })

  it('is ignored if a variable is empty or belongs to another program', () => {
    expect(settingsOf([], { PETSTORE_PORT: '', PETSTORE_OTHER: 'x', PORT: '80' })).toStrictEqual(DEFAULTS)
  })

  it('is ignored if Kubernetes has set it for a service named petstore', () => {
    const environment = {
      PETSTORE_PORT: 'tcp://10.96.0.1:4010',
      PETSTORE_PORT_4010_TCP_ADDR: '10.96.0.1',
      PETSTORE_SERVICE_HOST: '10.96.0.1',
      PETSTORE_SERVICE_PORT: '4010',
    }
    expect(settingsOf([], environment)).toStrictEqual(DEFAULTS)
    expect(findMisspelledVariables(environment)).toStrictEqual([])
  })

  it('may end with a separator, as a block in YAML does', () => {
    expect(settingsOf([], { PETSTORE_CORS: 'https://a.example, ' })).toMatchObject({ cors: ['https://a.example'] })
    expect(parse(['verify', 'http://a.test'], { PETSTORE_HEADER: 'A: b\r\nC: d\n' })).toMatchObject({
      settings: {
        headers: [
          ['A', 'b'],
          ['C', 'd'],
        ],
      },
    })
  })

  it('is overridden by a flag, even if the variable is invalid', () => {
    const environment = {
      PETSTORE_SEED: '5',
      PETSTORE_RULES: 'on',
      PETSTORE_STRICT: 'false',
      PETSTORE_CORS: 'https://a.example',
      PETSTORE_PORT: 'abc',
    }
    const args = ['--seed', '6', '--strict', '--cors', 'https://b.example', '--port', '0']
    const expected = { port: 0, seed: 6, rules: 'on', strict: true, cors: ['https://b.example'] }
    expect(settingsOf(args, environment)).toStrictEqual({ ...DEFAULTS, ...expected })
  })

  it.each([
    ['PETSTORE_PORT', '70000'],
    ['PETSTORE_RULES', 'maybe'],
    ['PETSTORE_STRICT', 'yes'],
  ])('is rejected with the name of the variable: %s=%s', (name, value) => {
    const message = messageFor([], { [name]: value })
    expect(message).toContain(name)
    expect(message).toContain(value)
  })
})

it('rejects an empty secret, which is probably a mistake', () => {
  expect(messageFor([], { PETSTORE_ADMIN_TOKEN: '' })).toContain('PETSTORE_ADMIN_TOKEN is empty')
  expect(settingsOf([], { PETSTORE_SEED: '' })).toStrictEqual(DEFAULTS)
})

it('ignores variables without effect that other commands read, too', () => {
  const environment = { PETSTORE_PORT: '0', PETSTORE_HEADER: 'A: b', PETSTORE_FORMAT: 'json', PETSTORE_FORCE: 'true' }
  expect(parse(['replay', 'a.json'], environment)).toMatchObject({ settings: { port: 0 } })
  expect(parse(['replay', 'a.json', '--as', 'curl'], environment)).toMatchObject({ settings: { as: 'curl' } })
  expect(parse([], environment)).toMatchObject({ settings: { port: 0 } })
  expect(messageFor(['replay', 'a.json', '--against', 'http://a.test'], { PETSTORE_UNTIL: '2' })).toBe(
    'PETSTORE_UNTIL cannot be combined with --against.',
  )
})

it('requires a file for --watch', () => {
  expect(messageFor(['--watch'])).toMatch(/--watch .*--fixtures/)
  expect(messageFor([], { PETSTORE_WATCH: 'true' })).toBe(
    'PETSTORE_WATCH requires --fixtures, --document or --service.',
  )
  const expected = { ...DEFAULTS, fixtures: 'a.json', watch: true }
  expect(settingsOf(['--watch'], { PETSTORE_FIXTURES: 'a.json' })).toStrictEqual(expected)
})

it('shows the commands, the flags of serve and examples on one screen', () => {
  const help = generalHelp()
  for (const [flag, { help: what }] of Object.entries(SERVE_FLAGS)) {
    expect(help).toContain(`--${flag}`)
    expect(help).toContain(what)
  }
  for (const command of ['[serve]', 'generate', 'init', 'verify', 'pull', 'spec']) {
    expect(help).toContain(`petstore-mock ${command}`)
  }
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  for (const { name } of listScenarios()) expect(help).toContain(name)
  expect(help.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

it('shows valid examples', () => {
  const [, examples = ''] = generalHelp().split('Examples:\n')
  const lines = examples.trim().split(/\n| && /)
  expect(lines.length).toBeGreaterThan(2)
  for (const line of lines) {
    const [name, ...args] = line
      .replace(/ > .*$/, '')
      .trim()
      .split(' ')
    expect(name).toBe('petstore-mock')
    expect(() => parseCommand(args, {})).not.toThrow()
  }
})

it.each(COMMAND_NAMES)('shows every flag of %s', (command) => {
  const help = commandHelp(command)
  expect(help).toContain(command === 'serve' ? 'petstore-mock [serve]' : `petstore-mock ${command}`)
  for (const [flag, { help: what }] of Object.entries(flagsOf(command))) {
    expect(help).toContain(`--${flag}`)
    expect(help).toContain(what)
  }
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
  expect(help).not.toMatch(/\n\n\n|\n\n$|[^\n]$/)
})

it.each(['serve', 'generate'] as const)('describes the scenarios in the help of %s', (command) => {
  const help = commandHelp(command)
  for (const { name, description } of listScenarios()) expect(help).toContain(`${name.padEnd(11)} ${description}`)
})

describe('the progress line', () => {
  const written = (steps: readonly number[], total: number): string[] => {
    const texts: string[] = []
    const onProgress = createProgressLine('100,000 pets', (text) => texts.push(text))
    for (const step of steps) onProgress(step, total)
    return texts
  }

  it('is rewritten when the percentage changes, and erased at the end', () => {
    const line = 'Generating 100,000 pets: 40 %'
    expect(written([40_000, 40_001, 100_000], 100_000)).toStrictEqual([`\r${line}`, `\r${' '.repeat(line.length)}\r`])
  })

  it('is headed by the resource of which most records are requested', () => {
    const terminal = { isTTY: true, write: () => true }
    const show = (sizes: object) => {
      const texts: string[] = []
      const stderr = { isTTY: true, write: (text: string) => texts.push(text) }
      progressOption({ sizes }, library, { stdout: terminal, stderr } as never).onProgress?.(1, 100_000)
      return texts.join('')
    }
    expect(show({ books: 100_000 })).toContain('Generating 100,000 books: 0 %')
    expect(show({ all: 50_000 })).toContain('Generating 50,000 records of each resource: 0 %')
    expect(show({})).toBe('')
  })

  it('is not shown for small data', () => {
    expect(written([1, 2, 3], 3)).toStrictEqual([])
  })

  it('is updated by the generator up to the last record', async () => {
    const reported: (readonly number[])[] = []
    await createPetstore({ pets: 3000, orders: 1500, onProgress: (...step) => reported.push(step) }).ready
    expect(reported).toStrictEqual([2000, 4000, 4500].map((done) => [done, 4500]))
  })

  it('is not updated for data that is not generated', async () => {
    const reported: (readonly number[])[] = []
    await createPetstore({ onProgress: (...step) => reported.push(step) }).ready
    expect(reported).toStrictEqual([])
  })
})

/** A valid value for a flag with this placeholder. */
function validValue(placeholder: string): string {
  return ['number', 'ms|min-max'].includes(placeholder) ? '1' : (placeholder.split('|')[0] ?? '')
}
