import { listScenarios } from '../petstore/fixtures/scenarios.js'
import { type CommandName, type Flags, flagsOf, LIMIT_FLAGS, SERVE_FLAGS } from './flags.js'

/** Built from the table of flags, so that it cannot tell of one that is not there. Fits a screen. */
export function helpText(): string {
  const scenarios = listScenarios()
  return [
    'petstore-mock: a pet store on localhost, in memory, that follows its document to the letter',
    '',
    'Usage: petstore-mock [serve] [flags]      answers on localhost until it is stopped',
    '       petstore-mock generate [flags *]   prints a world as a fixture file; only the flags marked *',
    '       petstore-mock init <public-dir>    copies the service worker script of petstore-mock/browser',
    '       petstore-mock verify <base-url>    compares a running service with the contract',
    '       petstore-mock spec                 prints the OpenAPI document of the service',
    '',
    ...describeFlags(SERVE_FLAGS, '*'),
    `  ${'-h, --help; -v, --version'.padEnd(32)} this text, or more behind a command (serve --help: limits)`,
    '',
    `Scenarios: ${scenarios.map(({ name }) => name).join(', ')} (generate --help)`,
    'Each flag has an environment variable: --log-format is PETSTORE_LOG_FORMAT. A flag wins.',
    '',
    'Examples:',
    '  petstore-mock --port 0 --scenario busy --open',
    '  petstore-mock generate --pets 1000 > world.json && petstore-mock --fixtures world.json --watch',
    '  petstore-mock verify http://127.0.0.1:4010 --format junit > verify.xml',
    '',
  ].join('\n')
}

const ABOUT: Readonly<Record<CommandName, readonly string[]>> = {
  serve: [
    'Usage: petstore-mock [serve] [flags]',
    '',
    'Answers on localhost until it is stopped. Prints the addresses when it is ready; GET /__admin/health answers from',
    'then on. Exit codes: 0 stopped by a signal, 1 cannot start, 2 usage.',
  ],
  generate: ['Usage: petstore-mock generate [flags] > world.json', '', 'Prints a world as a fixture file.'],
  init: [
    'Usage: petstore-mock init <public-dir>',
    '',
    'Copies the service worker script of the msw that is installed here into the folder that your web server serves',
    'files from. petstore-mock/browser needs it. Run it again after msw was updated.',
  ],
  verify: [
    'Usage: petstore-mock verify <base-url> [flags]',
    '',
    'Compares a running service with the contract: this mock, another one, or the real one. It makes what it needs',
    'through the API and removes it again; only complete orders stay, since the contract lets nobody delete them.',
    'Exit codes: 0 no difference, 1 differences, no answer or no pet store, 2 usage.',
  ],
  spec: ['Usage: petstore-mock spec [flags]', '', 'Prints the OpenAPI document of the service.'],
}

/** Of one command, with what the help as a whole has no room for. */
export function helpOf(command: CommandName): string {
  const flags = command === 'serve' ? SERVE_FLAGS : flagsOf(command)
  return [...ABOUT[command], '', ...section(describeFlags(flags)), ...moreOf(command)].join('\n')
}

/** Lines with a blank one behind them, where there are any. */
const section = (lines: readonly string[]): string[] => (lines.length > 0 ? [...lines, ''] : [])

function moreOf(command: CommandName): string[] {
  const scenarios = listScenarios().map(({ name, description }) => `  ${name.padEnd(11)} ${description}`)
  switch (command) {
    case 'serve':
      return section(['Limits, each a number, with their defaults:', ...describeLimits()])
    case 'generate':
      return section(['Scenarios:', ...scenarios])
    default:
      return []
  }
}

const WIDTH = 100

/** Few people ever set one: several to a line. */
function describeLimits(): string[] {
  const lines: string[] = []
  for (const [name, { help }] of Object.entries(LIMIT_FLAGS)) {
    const limit = `--${name} ${help}`
    const last = lines.at(-1)
    if (last !== undefined && last.length + limit.length + 2 < WIDTH) lines[lines.length - 1] = `${last}, ${limit}`
    else lines.push(`  ${limit}`)
  }
  return lines
}

function describeFlags(flags: Flags, ofWorldMark = ' '): string[] {
  return Object.entries(flags).map(([name, { short, value, ofWorld, help }]) => {
    const names = `${short ? `-${short}, ` : '    '}--${name}${value ? ` <${value}>` : ''}`
    return `${ofWorld ? ofWorldMark : ' '} ${names.padEnd(32)} ${help}`
  })
}
