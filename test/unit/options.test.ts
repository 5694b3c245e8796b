import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { SERVER_DEFAULTS } from '../../src/adapters/server/options.js'
import { LIMIT_FLAGS, settingOf } from '../../src/cli/flags.js'
import { MockError } from '../../src/http/errors.js'
import { DEFAULT_LIMITS } from '../../src/http/limits.js'
import { scenarioNames } from '../../src/petstore/fixtures/scenarios.js'
import { createPetstore, petstoreService } from '../../src/petstore/service.js'
import { thrownBy } from '../support/thrown-by.js'

const errorOf = (options: object) => thrownBy(MockError, () => petstoreService.resolveOptions(options))

describe('an omitted option', () => {
  const defaults = {
    seed: 1,
    scenario: 'default',
    categories: undefined,
    pets: undefined,
    orders: undefined,
    fixtures: undefined,
    rules: 'on',
    sunset: 'announce',
    strict: false,
    maxBodyBytes: 1_048_576,
    validateResponses: false,
  }

  it('has its documented default', () => {
    expect(petstoreService.resolveOptions({})).toMatchObject(defaults)
  })

  it('may be given as undefined', () => {
    const given = Object.fromEntries(Object.keys(defaults).map((name) => [name, undefined]))
    expect(petstoreService.resolveOptions(given)).toMatchObject(defaults)
  })
})

describe('an unknown option', () => {
  it.each(['sede', 'Seed', 'toString', 'constructor', ''])('is rejected by name: %j', (name) => {
    const { code, message, option } = errorOf({ [name]: 1 })
    expect({ code, option }).toEqual({ code: 'INVALID_OPTION', option: name })
    expect(message).toContain(`Unknown option "${name}". `)
  })

  it('is rejected even if it is undefined', () => {
    expect(errorOf({ sede: undefined }).code).toBe('INVALID_OPTION')
  })
})

describe('an invalid value', () => {
  it.each([
    ['seed', -1],
    ['seed', 2 ** 53],
    ['seed', '7'],
    ['seed', 7n],
    ['seed', null],
    ['scenario', 5],
    ['fixtures', 'default.json'],
    ['rules', 'On'],
    ['sunset', 'off'],
    ['strict', 'true'],
    ['maxBodyBytes', -1],
    ['validateResponses', 'yes'],
  ])('is rejected with a message that names the option: %s', (name, value) => {
    const { code, message, option, expected, received } = errorOf({ [name]: value })
    expect({ code, option }).toEqual({ code: 'INVALID_OPTION', option: name })
    expect(message).toBe(`Option "${name}" must be ${expected}. Received: ${received}.`)
    expect(message.split('\n')).toHaveLength(1)
  })

  it.each([
    [{ seed: 'x' }, 'Option "seed" must be a whole number of 0 or more. Received: "x".'],
    [{ rules: ['on'] }, "Option \"rules\" must be 'on' or 'off'. Received: [on]."],
    [
      { fixtures: {}, pets: 5 },
      'Option "pets" must be omitted when fixtures are given without a scenario. Received: 5.',
    ],
    [5, 'The options must be an object. Received: 5.'],
  ])('%j: %s', (options, message) => {
    expect(errorOf(options as object).message).toBe(message)
  })

  it('is rejected when the mock is created, not when it is used', () => {
    expect(() => createPetstore({ seed: -1 })).toThrow(MockError)
    expect(() => createPetstore({ fixtures: null as never })).toThrow(MockError)
  })
})

describe('a typo', () => {
  it.each([
    [{ sceanrio: 'busy' }, 'Unknown option "sceanrio". Did you mean "scenario"?'],
    [{ Seed: 1 }, 'Unknown option "Seed". Did you mean "seed"?'],
    [{ max_body_bytes: 1 }, 'Unknown option "max_body_bytes". Did you mean "maxBodyBytes"?'],
    [{ scenario: 'bussy' }, 'Unknown scenario "bussy". Did you mean "busy"?'],
    [{ scenario: 'sold_out' }, 'Unknown scenario "sold_out". Did you mean "sold-out"?'],
    [
      { maxBodySize: 1 },
      `Unknown option "maxBodySize". Available: ${Object.keys(petstoreService.defaultOptions).join(', ')}.`,
    ],
    [
      { colour: true },
      `Unknown option "colour". Available: ${Object.keys(petstoreService.defaultOptions).join(', ')}.`,
    ],
    [{ scenario: 'winter' }, `Unknown scenario "winter". Available: ${scenarioNames().join(', ')}.`],
  ])('is reported with the nearest name, or with all names: %j', (options, message) => {
    expect(errorOf(options).message).toBe(message)
  })

  it('is reported in the same way by startServer', async () => {
    await expect(startServer({ prot: 0 } as object)).rejects.toThrow(
      expect.objectContaining({ option: 'prot', message: 'Unknown option "prot". Did you mean "port"?' }),
    )
  })
})

describe('a limit', () => {
  const documented = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')
  const rows = [...documented.matchAll(/^\| `(\w+)`[^|]* \| ([\d,]+) \|/gm)]

  it('is documented with its default', () => {
    const defaults = new Map(Object.entries({ ...SERVER_DEFAULTS, ...DEFAULT_LIMITS }))
    const names = Object.entries(LIMIT_FLAGS).map(([flag, row]) => settingOf(flag, row))
    const limits = Object.fromEntries(names.map((name) => [name, defaults.get(name)]))
    expect(Object.fromEntries(rows.map(([, name, usual]) => [name, Number(usual?.replaceAll(',', ''))]))).toEqual(
      limits,
    )
  })

  it.each([
    ['maxJsonDepth', 1001],
    ['maxJsonValues', -1],
    ['maxUrlLength', 1.5],
    ['maxSandboxes', 0],
    ['sandboxIdleMs', 0],
  ])('of %s cannot be %s', (name, value) => {
    const { code, message } = errorOf({ [name]: value })
    expect(code).toBe('INVALID_OPTION')
    expect(message).toContain(name)
  })
})
