import {
  ARGUMENTS,
  COMMAND_NAMES,
  type CommandName,
  type Flags,
  flagsOf,
  settingOf,
  variableOf,
} from '../src/cli/flags.js'
import { COMMANDS } from '../src/cli/help.js'
import { once } from '../src/lib/once.js'
import { ERROR_CODES } from '../src/petstore/errors.js'
import { RECIPES } from '../src/petstore/fixtures/recipes.js'
import { listScenarios } from '../src/petstore/fixtures/scenarios.js'
import { ERROR_DESCRIPTIONS, EXIT_CODES, MOCK_ERROR_DESCRIPTIONS } from './docs-descriptions.js'
import { follow, type Route, readDocument, routesOf } from './docs-document.js'
import { ENTRIES, exportsPart } from './docs-exports.js'
import { code, codes, page, table } from './docs-markdown.js'
import { type Member, readSource, type Source } from './docs-source.js'

/** Where each kind of options is declared: file and type. */
export const OPTION_TYPES = {
  petstore: ['src/petstore/options.ts', 'PetstoreOptions'],
  limits: ['src/engine/limits.ts', 'Limits'],
  server: ['src/adapters/server/options.ts', 'ServerOptions'],
  serverLimits: ['src/adapters/server/options.ts', 'ServerLimits'],
  interception: ['src/adapters/msw/options.ts', 'InterceptionOptions'],
  node: ['src/adapters/node/index.ts', 'NodeOptions'],
  browser: ['src/adapters/browser/index.ts', 'BrowserOptions'],
  reporter: ['src/vitest/reporter.ts', 'CoverageReporterOptions'],
} as const satisfies Record<string, readonly [file: string, name: string]>

/** The source of all entry points. Reading it takes seconds. */
export const entrySource = once(() => readSource(ENTRIES.map(({ file }) => file)))

type Options = Record<keyof typeof OPTION_TYPES, Member[]>

/** The options of each kind, with the comments from their declarations. */
export function readOptions(source: Source): Options {
  const entries = Object.entries(OPTION_TYPES).map(([kind, [file, name]]) => [kind, source.membersOf(file, name)])
  return Object.fromEntries(entries)
}

/** The page of options, flags, scenarios, operations, error codes and exports. */
export async function referencePage(): Promise<string> {
  const source = entrySource()
  const options = readOptions(source)
  return page(
    '# Reference',
    '<!-- Generated from the code and spec/openapi.yaml by `npm run generate`. Do not edit. -->',
    `Generated from the code. On this page: [options](#options), [command line](#command-line),
[scenarios](#scenarios), [operations](#operations), [error codes](#error-codes), [exports](#exports). The paths below
\`/__admin\` are on [another page](admin-api.md).`,
    optionsPart(options),
    commandPart(options),
    scenariosPart(),
    await operationsPart(),
    errorsPart(),
    exportsPart(source),
  )
}

function optionsPart(options: Options): string[] {
  return [
    '## Options',
    `The same options exist in the library, on the command line and as environment variables. A flag wins over its variable, and
an empty variable counts as not set. A switch (\`--strict\`) is \`true\` or \`false\` in the environment. A flag that can be
repeated is a comma-separated list in the environment. An unknown option or an invalid value is rejected with a message that
says what is valid.`,
    '### Common options',
    'For `createPetstore`, `setupPetstore` and `startServer`.',
    optionTable(options.petstore),
    '### Limits',
    'Also common options. [SECURITY.md](../SECURITY.md#limits) says what happens when each is exceeded.',
    optionTable(options.limits),
    '### Server options',
    'For `startServer` and the command line.',
    optionTable([...options.server, ...options.serverLimits]),
    '### Options of `setupPetstore`',
    table(
      ['Option', 'Where', 'Default', ''],
      [
        ...options.interception.map(toRow('Node, browser')),
        ...options.node.map(toRow('Node')),
        ...options.browser.map(toRow('browser')),
      ],
    ),
    '### Options of `petstore-mock/vitest/reporter`',
    table(['Option', 'Default', ''], options.reporter.map(toRow())),
  ]
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
    ['Option', 'Flag', 'Variable', 'Default', ''],
    members.map(({ name, defaultValue, description }) => {
      const flag = flagOf(name)
      if (flag === undefined) return [code(name), '', '', defaultValue, description]
      return [code(name), flagForms(flags, flag), code(variableOf(flag)), defaultValue, description]
    }),
  )
}

function flagForms(flags: Flags, name: string): string {
  const { short, value } = flags[name] ?? {}
  const long = `--${name}${value === undefined ? '' : ` <${value}>`}`
  return codes(short === undefined ? [long] : [`-${short}`, long])
}

function commandPart(options: Options): string[] {
  return [
    '## Command line',
    table(
      ['Command', '', 'Flags'],
      COMMAND_NAMES.map((command) => [code(usageOf(command)), COMMANDS[command][1], describeFlags(command)]),
    ),
    'Flags of `serve` that are not options of the library, or differ from them:',
    flagTable(ownFlags(flagsOf('serve'), options)),
    'Flags of `verify`:',
    flagTable(flagsOf('verify')),
    'Flags of `replay`:',
    flagTable(flagsOf('replay')),
    'Flags of `pull`:',
    flagTable(flagsOf('pull')),
    'Flags of `spec`:',
    flagTable(flagsOf('spec')),
    `Every command has \`-h\`, \`--help\`; \`-v\`, \`--version\` shows the version. Ctrl-C, SIGTERM or SIGHUP stops the server after the
requests in progress, or after 5 seconds; a second signal ends it at once.`,
    table(['Exit code', ''], EXIT_CODES),
  ]
}

function usageOf(command: CommandName): string {
  const [, example] = ARGUMENTS[command] ?? []
  return example === undefined ? command : `${command} ${example}`
}

function describeFlags(command: CommandName): string {
  if (command === 'serve') return 'the options above and the flags below'
  const names = Object.keys(flagsOf(command))
  return names.length === 0 ? 'none' : codes(names.map((name) => `--${name}`))
}

/** Flags that are not options of the library, and `--fixtures`, which is a file here and an object in the library. */
function ownFlags(flags: Flags, options: Options): Flags {
  const known = [options.petstore, options.limits, options.server, options.serverLimits].flat().map(({ name }) => name)
  const isOwn = (setting: string) => setting === 'fixtures' || !known.includes(setting)
  return Object.fromEntries(Object.entries(flags).filter(([name, flag]) => isOwn(settingOf(name, flag))))
}

function flagTable(flags: Flags): string {
  const rows = Object.entries(flags).map(([name, { help }]) => [flagForms(flags, name), code(variableOf(name)), help])
  return table(['Flag', 'Variable', ''], rows)
}

function scenariosPart(): string[] {
  return [
    '## Scenarios',
    `Named sets of starting data, the same on every machine. A scenario that depends on the seed has other data with another
seed, and can be generated in other sizes; the others are fixed.`,
    table(
      ['Scenario', '', 'Categories, pets, orders', 'Depends on the seed'],
      listScenarios().map(({ name, description, sizes }) => [
        code(name),
        description,
        `${sizes.categories}, ${sizes.pets}, ${sizes.orders}`,
        Object.hasOwn(RECIPES, name) ? 'yes' : 'no',
      ]),
    ),
  ]
}

async function operationsPart(): Promise<string[]> {
  const document = await readDocument('openapi')
  const rows = routesOf(document).map((route) => [
    code(route.operationId),
    code(`${route.method} ${route.path}`),
    codes((route.parameters ?? []).map((each) => follow(document, each)).flatMap(inQuery)),
    stabilityOf(route),
    Object.keys(route.responses)
      .filter((status) => /^\d+$/.test(status))
      .join(', '),
  ])
  return [
    '## Operations',
    `The operations of [\`spec/openapi.yaml\`](../spec/openapi.yaml), which has all schemas and examples; a running mock displays
it at \`/docs\`. \`HEAD\` works wherever \`GET\` does, and \`OPTIONS\` on every path. The stability says how much of an
operation the source specification defines: see [decisions](decisions.md).`,
    table(['Operation', 'Method and path', 'Query', 'Stability', 'Statuses'], rows),
  ]
}

function inQuery({ name, in: place }: { name: string; in: string }): string[] {
  return place === 'query' ? [name] : []
}

function stabilityOf({ deprecated, 'x-stability': stability = '', 'x-deprecated-sunset': sunset }: Route): string {
  return deprecated ? `deprecated, sunset ${sunset}` : stability
}

function errorsPart(): string[] {
  return [
    '## Error codes',
    `An error response is \`{ code, message, status }\`, on every path. A failure simulated by a fault rule or requested with
\`Prefer: code=…\` may have any status from 400 to 599, with the matching code.`,
    table(
      ['Code', 'Status', 'When'],
      Object.entries(ERROR_CODES)
        .sort(([, a], [, b]) => a - b)
        .map(([name, status]) => [
          code(name),
          String(status),
          ERROR_DESCRIPTIONS[name as keyof typeof ERROR_DESCRIPTIONS],
        ]),
    ),
    'Misusing the mock in process throws a `MockError` with a `code` and a message:',
    table(
      ['Code', 'When'],
      Object.entries(MOCK_ERROR_DESCRIPTIONS).map(([name, description]) => [code(name), description]),
    ),
  ]
}
