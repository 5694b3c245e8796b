import { describe, expect, it } from 'vitest'
import { COMMAND_NAMES, flagsOf, SERVE_FLAGS, variableOf } from '../../src/cli/flags.js'
import { helpOf, helpText } from '../../src/cli/help.js'
import { parseCommand } from '../../src/cli/parse.js'
import { createProgressLine } from '../../src/cli/progress.js'
import { UsageError } from '../../src/cli/usage-error.js'
import { createPetstore } from '../../src/petstore/create-petstore.js'
import { listScenarios } from '../../src/petstore/fixtures/scenarios.js'

const FLAGS = flagsOf('serve')

const DEFAULTS = { quiet: false, logFormat: 'pretty' }

/** What goes wrong with these arguments, in the words of the command line. */
function complaint(args: readonly string[], environment: NodeJS.ProcessEnv = {}): string {
  try {
    parseCommand(args, environment)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as UsageError).message
  }
  throw new Error(`${JSON.stringify(args)} was taken`)
}

const settingsOf = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): object => {
  const command = parseCommand(args, environment)
  expect(command.name).toBe('serve')
  return command.name === 'serve' ? command.settings : {}
}

describe('the command', () => {
  it.each([
    ['nothing', []],
    ['its name', ['serve']],
  ])('serves for %s', (_, args) => {
    expect(parseCommand(args, {})).toStrictEqual({ name: 'serve', settings: DEFAULTS })
  })

  it('generates with the flags that say which world, and the environment of those alone', () => {
    const environment = { PETSTORE_PORT: 'abc', PETSTORE_WATCH: 'true', PETSTORE_ORDERS: '9', PETSTORE_PETS: '8' }
    const args = ['generate', '--seed', '7', '--scenario', 'busy', '--categories=2', '--pets', '5']
    const settings = { seed: 7, scenario: 'busy', categories: 2, pets: 5, orders: 9 }
    expect(parseCommand(args, environment)).toStrictEqual({ name: 'generate', settings })
    expect(parseCommand(['generate'], {})).toStrictEqual({ name: 'generate', settings: {} })
  })

  it.each(
    Object.entries(FLAGS)
      .filter(([, { ofWorld }]) => ofWorld !== true)
      .map(([name, { value }]) => [`--${name}`, value === undefined ? [] : [validValue(value)]] as const),
  )('does not generate with %s', (flag, value) => {
    expect(complaint(['generate', flag, ...value])).toBe(`generate takes no ${flag}`)
  })

  it.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['--version', 'version'],
    ['-v', 'version'],
  ])('%s asks for the %s, whatever the environment holds', (flag, name) => {
    expect(parseCommand([flag], { PETSTORE_PORT: 'abc' })).toStrictEqual({ name })
    expect(parseCommand([flag, '--port', '0'], {})).toStrictEqual({ name })
  })

  it.each(COMMAND_NAMES)('explains %s by itself', (of) => {
    expect(parseCommand(['help', of], {})).toStrictEqual({ name: 'help', of })
    expect(parseCommand([of, '--help'], {})).toStrictEqual({ name: 'help', of })
    expect(parseCommand(['-h', of, '--bogus'], {})).toStrictEqual({ name: 'help', of })
  })

  it.each([
    [['frobnicate'], 'frobnicate'],
    [['Serve'], 'Serve'],
    [['4010'], '4010'],
    [[''], 'command'],
    [['serve', 'twice'], 'twice'],
    [['generate', 'serve'], 'serve'],
    [['generate', '--bogus'], '--bogus'],
    [['generate', '--pets', 'x'], '--pets'],
    [['serve', 'serve'], 'serve'],
    [['--', 'frobnicate'], 'frobnicate'],
    [['--quiet', 'true'], 'true'],
    [['--read-only'], 'serve takes no --read-only'],
    [['init', 'public', '--format', 'json'], 'init takes no --format'],
    [['verify'], 'verify needs the address of a running service'],
    [['verify', 'http://a.test', 'http://b.test'], 'b.test'],
    [['verify', 'http://a.test', '--port', '1'], 'verify takes no --port'],
    [['spec', 'http://a.test'], 'spec takes no argument'],
    [['spec', '--read-only'], 'spec takes no --read-only'],
    [['spec', '--format', 'junit'], '--format must be yaml or json'],
  ])('refuses %j', (args, mentioning) => {
    expect(complaint(args)).toContain(mentioning)
  })
})

describe('verify', () => {
  const URL = 'http://127.0.0.1:4010'
  const SETTINGS = { readOnly: false, format: 'text', headers: [], timeout: 10_000 }

  it.each<[string[], object, object?]>([
    [[], {}],
    [['--read-only'], { readOnly: true }],
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
  ])('takes %j', (args, expected, environment = {}) => {
    const settings = { ...SETTINGS, ...expected }
    expect(parseCommand(['verify', URL, ...args], environment as NodeJS.ProcessEnv)).toStrictEqual({
      name: 'verify',
      baseUrl: URL,
      settings,
    })
  })

  it.each([
    ['http://127.0.0.1:4010/', URL],
    ['HTTP://127.0.0.1:4010//', URL],
    ['https://pets.example/api/v1/', 'https://pets.example/api/v1'],
    ['http://[::1]:80', 'http://[::1]'],
  ])('reads the address %s', (text, baseUrl) => {
    expect(parseCommand(['verify', text], {})).toMatchObject({ baseUrl })
  })

  it.each([
    '127.0.0.1:4010',
    'localhost',
    'ftp://pets.example',
    'http://',
    'http://pets.example?x=1',
    'http://pets.example/#x',
    'http://a:b@pets.example',
    '',
    'x'.repeat(10_000),
    'http://a\u001b[31m',
  ])('refuses the address %s in one short line', (text) => {
    const message = complaint(['verify', text])
    expect(message).toMatch(/^the address must /)
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
  ])('refuses the header %j, and does not repeat what may be a secret', (header) => {
    const message = complaint(['verify', URL, `--header=${header}`])
    expect(message).toMatch(/^--header (?:must be a name, a colon and a value|cannot set)/)
    expect(message).not.toContain('secret')
  })

  it.each(['0', '600001', '1.5', 'soon', '-1'])('refuses the time-out %s', (value) => {
    expect(complaint(['verify', URL, `--timeout=${value}`])).toMatch(/^--timeout must be a whole number/)
  })
})

it('prints the document as YAML unless told otherwise', () => {
  expect(parseCommand(['spec'], {})).toStrictEqual({ name: 'spec', settings: { format: 'yaml' } })
  expect(parseCommand(['spec', '--format', 'json'], {})).toStrictEqual({ name: 'spec', settings: { format: 'json' } })
  expect(parseCommand(['spec'], { PETSTORE_FORMAT: 'json' })).toMatchObject({ settings: { format: 'json' } })
})

describe('a flag', () => {
  it.each([
    [['--port', '0'], { port: 0 }],
    [['--port=65535'], { port: 65535 }],
    [['-p', '8080'], { port: 8080 }],
    [['-p8080'], { port: 8080 }],
    [['--host', '::1'], { host: '::1' }],
    [['--seed', '7'], { seed: 7 }],
    [['--seed=0'], { seed: 0 }],
    [['--scenario', 'empty'], { scenario: 'empty' }],
    [['--categories', '3'], { categories: 3 }],
    [['--pets', '100000'], { pets: 100_000 }],
    [['--orders=0'], { orders: 0 }],
    [['--fixtures', 'a b.yaml'], { fixtures: 'a b.yaml' }],
    [['--watch', '--fixtures', 'a.json'], { fixtures: 'a.json', watch: true }],
    [['--rules', 'off'], { rules: 'off' }],
    [['--sunset', 'enforce'], { sunset: 'enforce' }],
    [['--strict'], { strict: true }],
    [['--max-body-bytes', '10'], { maxBodyBytes: 10 }],
    [['--admin-token', '-secret-'], { adminToken: '-secret-' }],
    [['--quiet'], { quiet: true }],
    [['--log-format', 'json'], { logFormat: 'json' }],
    [['--cors', 'https://a.example'], { cors: ['https://a.example'] }],
    [['--cors', 'https://a.example', '--cors=https://b.example'], { cors: ['https://a.example', 'https://b.example'] }],
    [['--allow-host', 'a.test', '--allow-host', 'b.test'], { allowHost: ['a.test', 'b.test'] }],
    [['--strict', 'serve', '--port', '1'], { strict: true, port: 1 }],
  ])('is read from %j', (args, expected) => {
    expect(settingsOf(args)).toStrictEqual({ ...DEFAULTS, ...expected })
  })

  it.each([
    '--bogus',
    '--bogus=1',
    '--Port',
    '--no-quiet',
    '--max_body_bytes',
    '--constructor',
    '--__proto__',
    '--toString',
    '-x',
    '-P',
  ])('is refused by name when nobody knows it: %s', (flag) => {
    expect(complaint([flag])).toContain(flag.split('=')[0])
  })

  it('is refused by name when nobody knows it, with a value behind it too', () => {
    expect(complaint(['--prot', '4010'])).toContain('--prot')
    expect(complaint(['serve', '--prot', '4010', '--quiet'])).toContain('--prot')
  })

  it.each(
    Object.entries(FLAGS)
      .filter(([, { value }]) => value !== undefined)
      .map(([name]) => `--${name}`),
  )('%s needs a value', (flag) => {
    expect(complaint([flag])).toContain(flag)
    expect(complaint([flag, '--quiet'])).toContain(flag)
  })

  it('needs a value that is not empty', () => {
    const withValue = Object.entries(FLAGS).filter(([, { value }]) => value !== undefined)
    for (const flag of withValue.map(([name]) => `--${name}`)) {
      expect(complaint([`${flag}=`])).toContain(flag)
      expect(complaint([flag, ''])).toContain(flag)
    }
  })

  it.each(
    Object.entries(FLAGS)
      .filter(([, { value }]) => value === undefined)
      .map(([name]) => `--${name}`),
  )('%s takes no value', (flag) => {
    expect(complaint([`${flag}=yes`])).toContain(flag)
  })

  it.each(
    Object.entries(FLAGS)
      .filter(([, { repeatable }]) => repeatable !== true)
      .map(([name, { value }]) => [`--${name}`, value === undefined ? [] : [validValue(value)]] as const),
  )('%s is given once', (flag, value) => {
    expect(complaint([flag, ...value, flag, ...value])).toContain(flag)
  })

  it.each([
    ['--port', ['70000', '65536', '-1', 'abc', '80.0', '1e3', '0x50', ' 80', '+80', '٣', '999999999999']],
    ['--seed', ['-1', '1.5', 'abc', '1e3', '0x10', '007', ' 7', '+7', 'NaN', '9'.repeat(30)]],
    ['--max-body-bytes', ['-1', '1k', '1_000', '1.5']],
    ['--categories', ['-1', 'many']],
    ['--pets', ['-1', '1.5', '1e5', '100,000']],
    ['--orders', ['-1', 'NaN']],
    ['--rules', ['maybe', 'ON', 'true', ' on']],
    ['--delay', ['-1', '1.5', 'slow', '100-', '-300', '100-200-300', '100 - 200', '007']],
    ['--max-sandboxes', ['-1', 'many']],
    ['--sandbox-idle-ms', ['-1', '1h']],
    ['--sunset', ['never', 'Enforce']],
    ['--log-format', ['xml', 'JSON']],
  ])('%s takes no other value', (flag, values) => {
    for (const value of values) {
      const message = complaint([`${flag}=${value}`])
      expect(message).toContain(flag)
      expect(message).toContain(value)
    }
  })

  it.each([
    ['200', 200],
    ['0', 0],
    ['100-300', [100, 300]],
  ])('--delay takes %s', (value, delay) => {
    expect(parseCommand([`--delay=${value}`], {})).toMatchObject({ name: 'serve', settings: { delay } })
  })

  it('is refused in one short line, however the value looks', () => {
    for (const value of ['a\nb', 'a\r\nb', '\u001b[31mred', 'x'.repeat(100_000)]) {
      for (const args of [[`--rules=${value}`], [`--seed=${value}`], [`--${value}`], [value]]) {
        const message = complaint(args)
        expect(message).not.toMatch(/\p{Cc}/u)
        expect(message.length).toBeLessThan(500)
      }
    }
  })
})

describe('the environment', () => {
  it.each([
    ['PETSTORE_PORT', '0', { port: 0 }],
    ['PETSTORE_HOST', '::1', { host: '::1' }],
    ['PETSTORE_SEED', '7', { seed: 7 }],
    ['PETSTORE_SCENARIO', 'empty', { scenario: 'empty' }],
    ['PETSTORE_CATEGORIES', '3', { categories: 3 }],
    ['PETSTORE_PETS', '4', { pets: 4 }],
    ['PETSTORE_ORDERS', '5', { orders: 5 }],
    ['PETSTORE_FIXTURES', 'a.json', { fixtures: 'a.json' }],
    ['PETSTORE_WATCH', 'false', { watch: false }],
    ['PETSTORE_RULES', 'off', { rules: 'off' }],
    ['PETSTORE_SUNSET', 'enforce', { sunset: 'enforce' }],
    ['PETSTORE_STRICT', 'true', { strict: true }],
    ['PETSTORE_STRICT', 'false', { strict: false }],
    ['PETSTORE_MAX_BODY_BYTES', '10', { maxBodyBytes: 10 }],
    ['PETSTORE_ADMIN_TOKEN', 'secret', { adminToken: 'secret' }],
    ['PETSTORE_QUIET', 'true', { quiet: true }],
    ['PETSTORE_LOG_FORMAT', 'json', { logFormat: 'json' }],
    ['PETSTORE_CORS', 'https://a.example, https://b.example', { cors: ['https://a.example', 'https://b.example'] }],
    ['PETSTORE_ALLOW_HOST', 'a.test', { allowHost: ['a.test'] }],
  ])('gives %s=%s', (name, value, expected) => {
    expect(settingsOf([], { [name]: value })).toStrictEqual({ ...DEFAULTS, ...expected })
  })

  it('says nothing where a variable is empty or is another program’s', () => {
    expect(settingsOf([], { PETSTORE_PORT: '', PETSTORE_OTHER: 'x', PORT: '80' })).toStrictEqual(DEFAULTS)
  })

  it('gives way to a flag, with all of its values', () => {
    const environment = {
      PETSTORE_SEED: '5',
      PETSTORE_RULES: 'on',
      PETSTORE_STRICT: 'false',
      PETSTORE_CORS: 'https://a.example',
    }
    const args = ['--seed', '6', '--strict', '--cors', 'https://b.example']
    const expected = { seed: 6, rules: 'on', strict: true, cors: ['https://b.example'] }
    expect(settingsOf(args, environment)).toStrictEqual({ ...DEFAULTS, ...expected })
  })

  it.each([
    ['PETSTORE_PORT', '70000'],
    ['PETSTORE_SEED', 'x'],
    ['PETSTORE_PETS', 'x'],
    ['PETSTORE_WATCH', 'yes'],
    ['PETSTORE_RULES', 'maybe'],
    ['PETSTORE_SUNSET', 'never'],
    ['PETSTORE_STRICT', 'yes'],
    ['PETSTORE_QUIET', '1'],
    ['PETSTORE_LOG_FORMAT', 'xml'],
    ['PETSTORE_MAX_BODY_BYTES', '1k'],
  ])('is refused by the name of the variable: %s=%s', (name, value) => {
    const message = complaint([], { [name]: value })
    expect(message).toContain(name)
    expect(message).toContain(value)
  })
})

it('has no secret that is empty by mistake', () => {
  expect(complaint([], { PETSTORE_ADMIN_TOKEN: '' })).toContain('PETSTORE_ADMIN_TOKEN is empty')
  expect(settingsOf([], { PETSTORE_SEED: '' })).toStrictEqual(DEFAULTS)
})

it('has something to watch, from the line or from the environment', () => {
  expect(complaint(['--watch'])).toMatch(/--watch .*--fixtures/)
  expect(complaint([], { PETSTORE_WATCH: 'true' })).toMatch(/--watch .*--fixtures/)
  const expected = { ...DEFAULTS, fixtures: 'a.json', watch: true }
  expect(settingsOf(['--watch'], { PETSTORE_FIXTURES: 'a.json' })).toStrictEqual(expected)
})

it('names a variable for every flag after it', () => {
  expect(Object.keys(FLAGS).map(variableOf)).toContain('PETSTORE_MAX_BODY_BYTES')
  for (const flag of Object.keys(FLAGS)) expect(variableOf(flag)).toMatch(/^PETSTORE_[A-Z]+(?:_[A-Z]+)*$/)
})

it('lists the commands, the flags of serve and examples in the help, on one screen', () => {
  const help = helpText()
  for (const [flag, { help: what }] of Object.entries(SERVE_FLAGS)) {
    expect(help).toContain(`--${flag}`)
    expect(help).toContain(what)
  }
  for (const command of ['[serve]', 'generate', 'init', 'verify', 'spec']) {
    expect(help).toContain(`petstore-mock ${command}`)
  }
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  for (const { name } of listScenarios()) expect(help).toContain(name)
  expect(help.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

it('shows examples that the command itself understands', () => {
  const [, examples = ''] = helpText().split('Examples:\n')
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

it.each(COMMAND_NAMES)('explains every flag of %s', (command) => {
  const help = helpOf(command)
  expect(help).toContain(command === 'serve' ? 'petstore-mock [serve]' : `petstore-mock ${command}`)
  for (const [flag, { help: what }] of Object.entries(flagsOf(command))) {
    expect(help).toContain(`--${flag}`)
    expect(help).toContain(what)
  }
  for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
  expect(help).not.toMatch(/\n\n\n|\n\n$|[^\n]$/)
})

it('describes the scenarios where it explains what makes a world', () => {
  const help = helpOf('generate')
  for (const { name, description } of listScenarios()) expect(help).toContain(`${name.padEnd(11)} ${description}`)
})

describe('the line about a large world', () => {
  const written = (steps: readonly number[], total: number): string[] => {
    const texts: string[] = []
    const onProgress = createProgressLine('100,000 pets', (text) => texts.push(text))
    for (const step of steps) onProgress(step, total)
    return texts
  }

  it('rewrites itself where it has something new to say, and is wiped out at the end', () => {
    const line = 'Generating 100,000 pets: 40 %'
    expect(written([40_000, 40_001, 100_000], 100_000)).toStrictEqual([`\r${line}`, `\r${' '.repeat(line.length)}\r`])
  })

  it('is not there for a small one', () => {
    expect(written([1, 2, 3], 3)).toStrictEqual([])
  })

  it('is fed by the generator, which tells of the last pet or order too', async () => {
    const told: (readonly number[])[] = []
    await createPetstore({ pets: 3000, orders: 1500, onProgress: (...step) => told.push(step) }).ready
    expect(told).toStrictEqual([2000, 4000, 4500].map((done) => [done, 4500]))
  })

  it('says nothing of a world that is at hand', async () => {
    const told: (readonly number[])[] = []
    await createPetstore({ onProgress: (...step) => told.push(step) }).ready
    expect(told).toStrictEqual([])
  })
})

/** A value that the flag with this placeholder takes. */
function validValue(placeholder: string): string {
  return ['number', 'ms|min-max'].includes(placeholder) ? '1' : (placeholder.split('|')[0] ?? '')
}
