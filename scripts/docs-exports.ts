import { code, table } from './docs-markdown.js'
import type { Member, Source } from './docs-source.js'
import { UNCOMMENTED } from './docs-words.js'

/** The entry points, their files, and whose exports they include. */
export const ENTRIES = [
  { name: 'petstore-mock', file: 'src/index.ts' },
  { name: 'petstore-mock/node', file: 'src/adapters/node/index.ts', passesOn: 'src/index.ts' },
  { name: 'petstore-mock/browser', file: 'src/adapters/browser/index.ts', passesOn: 'src/index.ts' },
  { name: 'petstore-mock/server', file: 'src/adapters/server/index.ts' },
  { name: 'petstore-mock/vitest', file: 'src/vitest/index.ts', passesOn: 'src/adapters/node/index.ts' },
  { name: 'petstore-mock/vitest/reporter', file: 'src/vitest/reporter.ts' },
] as const

/** The objects that the library returns, and where they are declared. */
const OBJECTS = [
  ['On the mock that `createPetstore` returns, and on its sandboxes:', ['src/engine/instance.ts', 'Instance']],
  ['Only on the mock itself, not on a sandbox:', ['src/engine/mock.ts', 'Mock']],
  ['Added by `setupPetstore` of `petstore-mock/node`:', ['src/adapters/node/index.ts', 'NodePetstore']],
  ['Added by `setupPetstore` of `petstore-mock/browser`:', ['src/adapters/browser/index.ts', 'BrowserPetstore']],
  ['The server that `startServer` resolves with:', ['src/adapters/server/server.ts', 'PetstoreServer']],
] as const

export function exportsPart(source: Source): string[] {
  return [
    '## Exports',
    ...ENTRIES.flatMap((entry) => entryPart(source, entry)),
    '### The mock',
    ...OBJECTS.flatMap(([words, ...types]) => [
      words,
      memberTable(
        types.flatMap(([file, name]) => source.membersOf(file, name).map((member) => [name, member] as const)),
      ),
    ]),
  ]
}

function entryPart(source: Source, { name, file, ...rest }: (typeof ENTRIES)[number]): string[] {
  const passedOn = 'passesOn' in rest ? source.exportsOf(rest.passesOn).map((each) => each.name) : []
  const own = source.exportsOf(file).filter((each) => !passedOn.includes(each.name))
  const values = own.filter(({ isType }) => !isType)
  const types = own.filter(({ isType }) => isType)
  const described = types.filter(({ words }) => words !== '')
  const others = types.filter(({ words }) => words === '').map((each) => code(each.name))
  const origin = 'passesOn' in rest ? ENTRIES.find((entry) => entry.file === rest.passesOn)?.name : undefined
  return [
    `### ${code(name)}`,
    origin === undefined ? '' : `All of ${code(origin)}, and:`,
    table(
      ['Name', '', ''],
      [
        ...values.map((each) => [code(each.name), '', each.words || wordsFor(each.name)]),
        ...described.map((each) => [code(each.name), 'type', each.words]),
      ],
    ),
    others.length === 0 ? '' : `Also the type${others.length === 1 ? '' : 's'} ${others.join(', ')}.`,
  ]
}

function memberTable(members: readonly (readonly [owner: string, member: Member])[]): string {
  return table(
    ['Name', ''],
    members.map(([owner, { name, signature, words }]) => [code(signature), words || wordsFor(`${owner}.${name}`)]),
  )
}

/** The description of a name without a comment. Every published name needs one or the other. */
function wordsFor(name: string): string {
  const words = UNCOMMENTED[name]
  if (words === undefined) throw new Error(`${name} has no description. Add a comment to its declaration.`)
  return words
}
