import { ARGUMENTS, COMMAND_NAMES, type Flags, flagsOf, settingOf } from '../src/cli/flags.js'
import { COMMANDS } from '../src/cli/help.js'
import type { CommandName } from '../src/cli/settings.js'
import { EXIT_CODES } from './docs-descriptions.js'
import { flagForms } from './docs-flags.js'
import { code, codes, generatedPage, groupBy, table } from './docs-markdown.js'
import type { Options } from './docs-options.js'

/** The page of commands, flags and exit codes. */
export function cliPage(options: Options): string {
  return generatedPage(
    'Command line',
    'the code',
    `Run a command with \`npx petstore-mock\`. Without a name, it is \`serve\`. Every flag has an [environment variable](options.md),
such as \`PETSTORE_LOG_FORMAT\` for \`--log-format\`.`,
    table(
      ['Command', 'What it does', 'Flags'],
      COMMAND_NAMES.map((command) => [code(usageOf(command)), COMMANDS[command][1], describeFlags(command)]),
    ),
    '## `serve`',
    'All [options](options.md) with a flag, and:',
    flagTable(ownFlags(flagsOf('serve'), options)),
    '## Other commands',
    'Flags that are not listed here are those of `serve`.',
    otherFlags(),
    '## Help, signals and exit codes',
    `Every command has \`-h\`, \`--help\`; \`-v\`, \`--version\` shows the version. Ctrl-C, SIGTERM or SIGHUP stops the server after the
requests in progress, or after 5 seconds; a second signal ends it at once. Log lines that nobody reads from a full pipe within
2 more seconds are dropped.`,
    table(['Exit code', 'Meaning'], EXIT_CODES),
  )
}

function usageOf(command: CommandName): string {
  const [, example] = ARGUMENTS[command] ?? []
  return example === undefined ? command : `${command} ${example}`
}

function describeFlags(command: CommandName): string {
  if (command === 'serve') return 'the [options](options.md), and the flags below'
  const names = Object.keys(flagsOf(command))
  return names.length === 0 ? 'none' : codes(names.map((name) => `--${name}`))
}

/** Flags that are not options of the library, and `--fixtures`, which is a file here and an object in the library. */
function ownFlags(flags: Flags, options: Options): Flags {
  const { petstore, common, limits, server, serverLimits, upstream } = options
  const known = [petstore, common, limits, server, serverLimits, upstream].flat().map(({ name }) => name)
  const isOwn = (setting: string) => setting === 'fixtures' || !known.includes(setting)
  return Object.fromEntries(Object.entries(flags).filter(([name, flag]) => isOwn(settingOf(name, flag))))
}

function flagTable(flags: Flags): string {
  const rows = Object.entries(flags).map(([name, { help }]) => [flagForms(flags, name), help])
  return table(['Flag', 'Meaning'], rows)
}

/** The flags that `serve` lacks or explains in another way, each once with all commands that have it. */
function otherFlags(): string {
  const ofServe = flagsOf('serve')
  const rows = COMMAND_NAMES.filter((command) => command !== 'serve').flatMap((command) =>
    Object.entries(flagsOf(command))
      .filter(([name, { help }]) => ofServe[name]?.help !== help)
      .map(([name, { help }]) => ({ command, forms: flagForms(flagsOf(command), name), help })),
  )
  return table(
    ['Flag', 'Commands', 'Meaning'],
    groupBy(rows, ({ forms, help }) => `${forms} ${help}`).map((same) => [
      same[0]?.forms ?? '',
      codes(same.map(({ command }) => command)),
      same[0]?.help ?? '',
    ]),
  )
}
