import { UNCOMMENTED } from './docs-descriptions.js'
import { code, generatedPage, table } from './docs-markdown.js'
import type { Export, Member, Source } from './docs-source.js'

/** The entry points, their files, and the file whose exports they include. */
export const ENTRIES = [
  { name: 'petstore-mock', file: 'src/index.ts' },
  { name: 'petstore-mock/node', file: 'src/adapters/node/index.ts', includes: 'src/index.ts' },
  { name: 'petstore-mock/browser', file: 'src/adapters/browser/index.ts', includes: 'src/index.ts' },
  { name: 'petstore-mock/server', file: 'src/adapters/server/index.ts' },
  { name: 'petstore-mock/client', file: 'src/tools/client/index.ts' },
  { name: 'petstore-mock/assertions', file: 'src/runners/assertions/index.ts' },
  { name: 'petstore-mock/ssr', file: 'src/runners/ssr.ts' },
  { name: 'petstore-mock/jest', file: 'src/runners/jest/index.ts', includes: 'src/adapters/node/index.ts' },
  { name: 'petstore-mock/playwright', file: 'src/runners/playwright/index.ts', includes: 'src/tools/client/index.ts' },
  { name: 'petstore-mock/vite', file: 'src/runners/vite/index.ts' },
  { name: 'petstore-mock/vite/page', file: 'src/runners/vite/page-mock.ts' },
  { name: 'petstore-mock/vitest', file: 'src/runners/vitest/index.ts', includes: 'src/adapters/node/index.ts' },
  { name: 'petstore-mock/vitest/reporter', file: 'src/runners/vitest/reporter.ts' },
] as const

/** The objects that the library returns, and where they are declared. */
const OBJECTS = [
  ['Every mock and every sandbox', ['src/engine/instance/instance.ts', 'Instance']],
  ['The mock itself, not a sandbox', ['src/engine/mock/mock.ts', 'Mock']],
  ['Added by `setupPetstore` and `setupMock` of `petstore-mock/node`', ['src/adapters/node/setup-mock.ts', 'NodeMock']],
  [
    'Added by `setupPetstore` and `setupMock` of `petstore-mock/browser`',
    ['src/adapters/browser/setup-mock.ts', 'BrowserMock'],
  ],
  ['The client that `connect` returns', ['src/tools/client/types.ts', 'MockClient']],
  ['The server that `startServer` resolves with', ['src/adapters/server/start-server.ts', 'PetstoreServer']],
] as const

/** What a client has like a mock. */
const AS_IN_A_MOCK = [
  'data',
  'faults',
  'overrides',
  'upstream',
  'clock',
  'journal',
  'snapshots',
  'sandboxes',
  'coverage',
  'reproduction',
  'exportState',
  'importState',
  'reset',
  'check',
]

/** The page of what each entry point exports, and of the objects that its functions return. */
export function exportsPage(source: Source): string {
  return generatedPage(
    'Exports',
    'the code',
    'Every entry can be imported. Those for a browser, Vite and vitest are ES modules only; the others can also be required. A type that several entries export is described at the first of them. The objects that they return follow.',
    ...ENTRIES.flatMap((entry, index) => entryPart(source, entry, ENTRIES.slice(0, index))),
    ...OBJECTS.flatMap(([heading, [file, name]]) => {
      const members = source.membersOf(file, name)
      const isRepeated = (member: Member) => name === 'MockClient' && AS_IN_A_MOCK.includes(member.name)
      const repeated = members.filter(isRepeated).map((member) => code(member.name))
      return [
        `## ${heading}`,
        repeated.length === 0 ? '' : `${repeated.join(', ')}: as above, but each function returns a promise. And:`,
        memberTable(members.filter((member) => !isRepeated(member)).map((member) => [name, member] as const)),
      ]
    }),
  )
}

type Entry = (typeof ENTRIES)[number]

function entryPart(source: Source, { name, file, ...rest }: Entry, before: readonly Entry[]): string[] {
  const included = 'includes' in rest ? source.exportsOf(rest.includes) : []
  // An entry may have its own function under a name that it includes.
  const isIncluded = ({ name, description }: Export) =>
    included.some((each) => each.name === name && each.description === description)
  const own = source.exportsOf(file).filter((each) => !isIncluded(each))
  const values = own.filter(({ kind }) => kind !== 'type')
  const types = own.filter(({ kind }) => kind === 'type')
  const known = before.flatMap((entry) => source.exportsOf(entry.file))
  const isDescribed = ({ name, description }: Export) =>
    description !== '' && !known.some((each) => each.name === name && each.description === description)
  const described = types.filter(isDescribed)
  const others = types.filter((each) => !isDescribed(each)).map((each) => code(each.name))
  const origin = 'includes' in rest ? ENTRIES.find((entry) => entry.file === rest.includes)?.name : undefined
  return [
    `## ${code(name)}`,
    origin === undefined ? '' : `All of ${code(origin)}, and:`,
    table(
      ['Name', 'Kind', 'Description'],
      [
        ...values.map((each) => [code(each.name), each.kind, each.description || descriptionFor(each.name)]),
        ...described.map((each) => [code(each.name), 'type', each.description]),
      ],
    ),
    others.length === 0 ? '' : `Also the type${others.length === 1 ? '' : 's'} ${others.join(', ')}.`,
  ]
}

function memberTable(members: readonly (readonly [owner: string, member: Member])[]): string {
  return table(
    ['Name', 'Description'],
    members.map(([owner, { name, signature, description }]) => [
      code(signature),
      description || descriptionFor(`${owner}.${name}`),
    ]),
  )
}

/** The description of a name without a comment. Every published name needs one or the other. */
function descriptionFor(name: string): string {
  const description = UNCOMMENTED[name]
  if (description === undefined) throw new Error(`${name} has no description. Add a comment to its declaration.`)
  return description
}
