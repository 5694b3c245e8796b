import { petstoreService as service } from '../petstore/service.js'
import { COMMAND_NAMES, type Flag, flagsOf, LIMIT_FLAGS, MORE_SERVE_FLAGS, SERVE_FLAGS, toKebabCase } from './flags.js'
import type { CommandName } from './settings.js'

export const COMMANDS: Readonly<Record<CommandName, readonly [usage: string, summary: string, ...details: string[]]>> =
  {
    serve: [
      '[serve] [flags]',
      'Start the mock server (default command)',
      'Prints its URLs when it is ready. GET /__admin/health returns 200 from then on.',
      'Several services share the port, each at the path of its name: --service shop=shop.js --service billing=billing.yaml.',
      'Exit codes: 0 stopped by SIGINT, SIGTERM or SIGHUP, 1 cannot start, 2 usage error.',
    ],
    generate: ['generate [flags]', 'Print starting data as a fixture file'],
    init: [
      'init <public-dir>',
      'Copy the service worker script for petstore-mock/browser',
      'Copies the script of the msw version that your project uses. Run it again after updating msw.',
    ],
    verify: [
      'verify <base-url> [flags]',
      'Check a running service against the contract',
      'Works with this mock, another mock or the real service. It only reads, except with a petstore-mock on this machine.',
      'With --allow-writes it also creates records, changes and deletes only those, and reports what it cannot delete.',
      `Exit codes: 0 no differences, 1 differences, changed records or no ${service.title} at this URL, 2 usage error.`,
    ],
    replay: [
      'replay <file> [flags]',
      'Repeat the requests of a reproduction file',
      'Compares every response with the recorded one, and shows the first difference. Nothing leaves this machine.',
      'With --until the mock serves from there, for debugging. With --against a service responds instead.',
      'With --as it prints the requests as a test or as commands; --against sets the address in those.',
      'Exit codes: 0 no differences, 1 differences or a file that cannot be used, 2 usage error.',
    ],
    pull: [
      'pull <base-url> [flags]',
      'Save the data of a running service as a fixture file',
      'Sends nothing but GET, and keeps nothing but the fields of the OpenAPI document.',
      'pull --har <file> [<base-url>] finds out from recorded traffic what the service has, and says what is unknown.',
      'Exit codes: 0 written, 1 nothing written, 2 usage error.',
    ],
    mcp: [
      'mcp [flags]',
      'Give the mock to a coding agent, as an MCP server',
      'Speaks the Model Context Protocol on standard input and output, and ends with its input. Start it from the',
      'configuration of the agent. A running server speaks it, too, at /__admin/mcp.',
    ],
    inspect: [
      'inspect <file> [flags]',
      'Show what the mock understands of an OpenAPI document',
      'Its resources with their operations, the operations without state, and what it cannot follow. With --format service',
      'it prints a service file that does the same, with places for your own rules.',
    ],
    compile: [
      'compile <file> [flags]',
      'Compile an OpenAPI document for a page that forbids eval',
      'Writes a module that exports the document, or that of a service file, and its validators, for defineService.',
      'The Vite plugin does this itself.',
    ],
    spec: ['spec [flags]', `Print the OpenAPI document of the ${service.title}`],
  }

/** The help for all commands. Fits on one screen. */
export function generalHelp(): string {
  return [
    `A mock server for the ${service.title}, and for any OpenAPI document. Usage:`,
    ...COMMAND_NAMES.map((name) => `  petstore-mock ${COMMANDS[name][0].padEnd(26)} ${COMMANDS[name][1]}`),
    '',
    'Flags of serve:',
    ...describeFlags({
      ...SERVE_FLAGS,
      help: { short: 'h', help: 'Show help; petstore-mock <command> --help shows more' },
      version: { short: 'v', help: 'Show the version' },
    }),
    '',
    `Scenarios: ${service
      .listScenarios()
      .map(({ name }) => name)
      .join(', ')}`,
    'Environment variables: PETSTORE_LOG_FORMAT for --log-format, and so on. Flags take precedence.',
    '',
    'Examples:',
    '  petstore-mock --port 0 --scenario busy --open',
    `  petstore-mock generate${exampleSize()} > data.json && petstore-mock --fixtures data.json --watch`,
    '',
  ].join('\n')
}

function exampleSize(): string {
  const { mainResource, defaultSizes } = service
  return mainResource in defaultSizes ? ` --${toKebabCase(mainResource)} 1000` : ''
}

/** The help for one command. */
export function commandHelp(command: CommandName): string {
  const [usage, summary, ...details] = COMMANDS[command]
  const flags = describeFlags(command === 'serve' ? { ...SERVE_FLAGS, ...MORE_SERVE_FLAGS } : flagsOf(command))
  const scenarios = service.listScenarios().map(({ name, description }) => `  ${name.padEnd(11)} ${description}`)
  const sections = [
    [`Usage: petstore-mock ${usage}`],
    [`${summary}.`, ...details],
    ...(flags.length > 0 ? [['Flags:', ...flags]] : []),
    ...(command === 'serve' ? [['Limits, in bytes or milliseconds:', ...describeFlags(LIMIT_FLAGS)]] : []),
    ...('scenario' in flagsOf(command) ? [['Scenarios:', ...scenarios]] : []),
  ]
  return sections.map((lines) => `${lines.join('\n')}\n`).join('\n')
}

function describeFlags(flags: Readonly<Record<string, Pick<Flag, 'short' | 'value' | 'help'>>>): string[] {
  const rows = Object.entries(flags).map(([name, { short, value, help }]) => {
    const names = `${short === undefined ? '   ' : `-${short},`} --${name}`
    return [value === undefined ? names : `${names} <${value}>`, help] as const
  })
  const width = Math.max(...rows.map(([usage]) => usage.length))
  return rows.map(([usage, help]) => `  ${usage.padEnd(width)}  ${help}`)
}
