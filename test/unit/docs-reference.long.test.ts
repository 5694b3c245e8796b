import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generatePages } from '../../scripts/docs.js'
import { entrySource, OPTION_TYPES, readOptions } from '../../scripts/docs-options.js'
import { DEFAULT_BASE_URL } from '../../src/adapters/msw/options.js'
import { SERVER_DEFAULTS } from '../../src/adapters/server/options.js'
import { createAdminContract } from '../../src/engine/admin/documents.js'
import { storeContract } from '../../src/petstore/contract.js'
import { petstoreService } from '../../src/petstore/service.js'

const root = new URL('../../', import.meta.url)
const pages = await generatePages()
const ADMIN_API = 'docs/admin-api.md'
const reference = [...pages].flatMap(([path, text]) => (path === ADMIN_API ? [] : [text])).join('\n')

const behaviour = readPage('behaviour')
const source = entrySource()
const options = Object.values(readOptions(source)).flat()

/** The defaults of the options in the code. */
const defaults = new Map<string, unknown>([
  ...Object.entries({ ...petstoreService.defaultOptions, ...SERVER_DEFAULTS, baseUrl: DEFAULT_BASE_URL }),
  ...(
    [
      ['node', 'OPTIONS'],
      ['browser', 'BROWSER_OPTIONS'],
      ['reporter', 'OPTIONS'],
    ] as const
  ).flatMap(([kind, name]) => [...source.literalsOf(OPTION_TYPES[kind][0], name)]),
])
const printable = [...defaults].filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))

it.each([...pages.keys()])('%s is up to date', (path) => {
  const file = new URL(path, root)
  const isUpToDate = existsSync(file) && readFileSync(file, 'utf8') === pages.get(path)
  expect(isUpToDate, `${path} is out of date: run \`npm run generate\``).toBe(true)
})

describe('an option', () => {
  it.each([...defaults.keys()])('has a comment at its declaration: %s', (name) => {
    const option = options.find((each) => each.name === name)
    expect(option?.description).toMatch(/^\S.+\.$/)
    expect(option?.defaultValue).not.toBe('')
  })

  it.each(printable)('has the default that its comment states: %s, %s', (name, value) => {
    const described = options.find((each) => each.name === name)?.defaultValue.replaceAll(/[`,]/g, '') ?? ''
    expect(described.split(' ')[0]).toBe(String(value))
  })

  it('that does not exist is not described', () => {
    const known = [
      ...defaults.keys(),
      'server',
      'keepState',
      'worker',
      'onNotice',
      'onError',
      'operations',
      'statuses',
      'ignoreStatuses',
      'json',
      'services',
      'sizes',
    ]
    expect(options.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  })
})

describe('the reference', () => {
  it('has every operation of the service', () => {
    const listed = [...reference.matchAll(/^\| `(\w+)` \| `[A-Z]+ \/[^`]*` \|/gm)].map(([, name]) => name)
    const declared = storeContract().operations()
    expect(listed.sort()).toEqual(declared.map(({ operation }) => operation).sort())
  })
})

it('has a section for every path of the admin API', () => {
  const parts = [...(pages.get(ADMIN_API) ?? '').matchAll(/^### `[A-Z]+ \/[^`]+`$/gm)]
  expect(parts).toHaveLength(createAdminContract(petstoreService).operations().length)
})

describe('the page of the behaviour', () => {
  const rows = [...behaviour.matchAll(/^\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map((row) => row.slice(1))
  const switches = rows.flatMap(([, , , off = '']) => [...off.matchAll(/`(\w+)(?:: ([^`]+))?`/g)])

  it('names only existing options for switching a decision off', () => {
    const known = [...options.map(({ name }) => name), 'setupPetstore']
    expect(switches.length).toBeGreaterThan(8)
    expect(switches.map(([, name]) => name).filter((name) => !known.includes(name as string))).toEqual([])
  })
})

function readPage(name: string): string {
  return readFileSync(new URL(`docs/${name}.md`, root), 'utf8')
}
