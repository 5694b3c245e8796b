import { listScenarios } from '../fixtures/scenarios.js'
import { type Flags, flagsOf, LIMIT_FLAGS, SERVE_FLAGS, VERIFY_FLAGS } from './flags.js'

/** Built from the table of flags, so that it cannot tell of one that is not there. */
export function helpText(): string {
  const scenarios = listScenarios()
  return [
    'petstore-mock: a pet store on localhost, in memory, that follows its document to the letter',
    '',
    'Usage: petstore-mock [serve] [flags]      answers on localhost until it is stopped',
    '       petstore-mock generate [flags *]   prints a world as a fixture file; takes only the flags marked *',
    '       petstore-mock init <public-dir>    copies the service worker script that petstore-mock/browser needs',
    '       petstore-mock verify <base-url>    compares any running service with the contract; its flags are',
    `         ${Object.keys(VERIFY_FLAGS).map(nameOf(VERIFY_FLAGS)).join(', ')}`,
    '       petstore-mock spec [--format yaml|json]   prints the document of the service',
    '',
    ...describeFlags(SERVE_FLAGS, '*'),
    `  ${'-h, --help; -v, --version'.padEnd(32)} this text, or that of generate, verify or spec; the version`,
    '',
    'Limits, each a number, with their defaults:',
    ...describeLimits(),
    `Scenarios: ${scenarios.map(({ name }) => name).join(', ')} (generate --help describes them)`,
    'Each flag has an environment variable: --log-format is PETSTORE_LOG_FORMAT. A flag wins.',
    'Examples: petstore-mock --port 0 --seed 7 --log-format json',
    '          petstore-mock generate --pets 1000 > world.json && petstore-mock --fixtures world.json --watch',
    '',
  ].join('\n')
}

const ABOUT = {
  generate: ['Usage: petstore-mock generate [flags] > world.json', '', 'Prints a world as a fixture file.'],
  verify: [
    'Usage: petstore-mock verify <base-url> [flags]',
    '',
    'Compares a running service with the contract: this mock, another one, or the real one. It makes what it needs',
    'through the API and removes it again; only complete orders stay, since the contract lets nobody delete them.',
    'Exit codes: 0 no difference, 1 differences or no answer, 2 usage.',
  ],
  spec: ['Usage: petstore-mock spec [flags]', '', 'Prints the OpenAPI document of the service.'],
} as const

export type ExplainedCommand = keyof typeof ABOUT

export function isExplained(command: string | undefined): command is ExplainedCommand {
  return command !== undefined && Object.hasOwn(ABOUT, command)
}

/** Of one command, with what the help as a whole has no room for. */
export function helpOf(command: ExplainedCommand): string {
  const scenarios = listScenarios().map(({ name, description }) => `  ${name.padEnd(11)} ${description}`)
  return [
    ...ABOUT[command],
    '',
    ...describeFlags(flagsOf(command)),
    ...(command === 'generate' ? ['', 'Scenarios:', ...scenarios] : []),
    '',
  ].join('\n')
}

const WIDTH = 116

/** Few people ever set one: several to a line. */
function describeLimits(): string[] {
  const lines: string[] = []
  for (const [name, { help }] of Object.entries(LIMIT_FLAGS)) {
    const limit = `--${name} ${help}`
    const last = lines.at(-1)
    if (last !== undefined && last.length + limit.length < WIDTH) lines[lines.length - 1] = `${last}, ${limit}`
    else lines.push(`  ${limit}`)
  }
  return lines
}

function describeFlags(flags: Flags, ofWorldMark = ' '): string[] {
  return Object.entries(flags).map(([name, { short, ofWorld, help }]) => {
    const names = `${short ? `-${short}, ` : '    '}${nameOf(flags)(name)}`
    return `${ofWorld ? ofWorldMark : ' '} ${names.padEnd(32)} ${help}`
  })
}

/** A flag with what stands for its value. */
function nameOf(flags: Flags): (name: string) => string {
  return (name) => `--${name}${flags[name]?.value ? ` <${flags[name].value}>` : ''}`
}
