import { flagsOf, settingOf } from '../src/cli/flags.js'
import { once } from '../src/lib/functions.js'
import { RECIPES } from '../src/petstore/fixtures/recipes.js'
import { listScenarios } from '../src/petstore/fixtures/scenarios.js'
import { ENTRIES } from './docs-exports.js'
import { flagForms } from './docs-flags.js'
import { code, generatedPage, table } from './docs-markdown.js'
import { type Member, readSource, type Source } from './docs-source.js'

/** Where each kind of options is declared: file and type. */
export const OPTION_TYPES = {
  petstore: ['src/petstore/options.ts', 'PetstoreOptions'],
  common: ['src/engine/options.ts', 'CommonOptions'],
  limits: ['src/http/limits.ts', 'Limits'],
  server: ['src/adapters/server/options.ts', 'ListenOptions'],
  serverLimits: ['src/adapters/server/options.ts', 'ServerLimits'],
  upstream: ['src/adapters/upstream/options.ts', 'UpstreamOptions'],
  interception: ['src/adapters/msw/options.ts', 'InterceptionOptions'],
  node: ['src/adapters/node/setup-mock.ts', 'NodeInterceptionOptions'],
  browser: ['src/adapters/browser/options.ts', 'BrowserInterceptionOptions'],
  reporter: ['src/runners/vitest/reporter.ts', 'CoverageReporterOptions'],
} as const satisfies Record<string, readonly [file: string, name: string]>

/** The source of all entry points. Reading it takes seconds. */
export const entrySource = once(() => readSource(ENTRIES.map(({ file }) => file)))

export type Options = Record<keyof typeof OPTION_TYPES, Member[]>

/** The options of each kind, with the comments from their declarations. */
export function readOptions(source: Source): Options {
  const entries = Object.entries(OPTION_TYPES).map(([kind, [file, name]]) => [kind, source.membersOf(file, name)])
  const options = Object.fromEntries(entries)
  const sizes = source
    .membersOf('src/engine/mock/service-options.ts', 'ServiceOptions')
    .filter(({ name }) => name === 'sizes')
  return { ...options, petstore: [...options.petstore, ...sizes] }
}

/** The page of all options and their values. */
export function optionsPage(options: Options): string {
  return generatedPage(
    'Options',
    'the code',
    `The same options exist in the library, on the command line and as environment variables: every flag has one, such as
\`PETSTORE_MAX_BODY_BYTES\` for \`--max-body-bytes\`. A flag wins over its variable, and an empty variable counts as not set. A
switch (\`--strict\`) is \`true\` or \`false\` in the environment, and a flag that can be repeated is a comma-separated list. An
unknown option or an invalid value is rejected with a message that says what is valid. The flags of single commands are in
[command line](cli.md).`,
    '## Common options',
    `For \`createPetstore\`, \`createMock\`, \`setupPetstore\`, \`setupMock\` and \`startServer\`. \`categories\`, \`pets\` and \`orders\`
are for the Pet Store, and \`sizes\` is for your own service.`,
    optionTable([...options.petstore, ...options.common]),
    '## Limits',
    'Also common options. [SECURITY.md](../SECURITY.md#limits) says what happens when each is exceeded.',
    optionTable(options.limits),
    '## Server options',
    'For `startServer` and the command line.',
    optionTable([...options.server, ...options.serverLimits]),
    '## Options for the real service',
    'For `startServer`, `setupPetstore` and `setupMock` in Node, the Vite plugin, and the command line: [in front of the real service](upstream.md).',
    optionTable(options.upstream),
    '## Options of `setupPetstore` and `setupMock`',
    table(
      ['Option', 'Where', 'Default', 'Meaning'],
      [
        ...options.interception.map(toRow('Node, browser')),
        ...options.node.map(toRow('Node')),
        ...options.browser.map(toRow('browser')),
      ],
    ),
    '## Options of `petstore-mock/vitest/reporter`',
    table(['Option', 'Default', 'Meaning'], options.reporter.map(toRow())),
    scenariosPart(),
  )
}

function toRow(where?: string): (member: Member) => string[] {
  return ({ name, defaultValue, description }) => [
    code(name),
    ...(where === undefined ? [] : [where]),
    defaultValue,
    description,
  ]
}

function optionTable(members: readonly Member[]): string {
  const flags = flagsOf('serve')
  const flagOf = (option: string) => Object.entries(flags).find(([name, flag]) => settingOf(name, flag) === option)?.[0]
  return table(
    ['Option', 'Flag', 'Default', 'Meaning'],
    members.map(({ name, defaultValue, description }) => {
      const flag = flagOf(name)
      return [code(name), flag === undefined ? '' : flagForms(flags, flag), defaultValue, description]
    }),
  )
}

function scenariosPart(): string[] {
  return [
    '## Scenarios',
    `Named sets of starting data, the same on every machine. A scenario that depends on the seed has other data with another
seed, and can be generated in other sizes; the others are fixed.`,
    table(
      ['Scenario', 'Contents', 'Categories, pets, orders', 'Depends on the seed'],
      listScenarios().map(({ name, description, sizes }) => [
        code(name),
        description,
        `${sizes.categories}, ${sizes.pets}, ${sizes.orders}`,
        Object.hasOwn(RECIPES, name) ? 'yes' : 'no',
      ]),
    ),
  ]
}
