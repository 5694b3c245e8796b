import { listScenarios } from '../fixtures/scenarios.js'
import { FLAGS } from './flags.js'

/** Built from the table of flags, so that it cannot tell of one that is not there. */
export function helpText(): string {
  const flags = Object.entries(FLAGS).map(([name, { short, value, ofWorld, help }]) => {
    const names = `${short ? `-${short}, ` : '    '}--${name}${value ? ` <${value}>` : ''}`
    return `${ofWorld ? '*' : ' '} ${names.padEnd(32)} ${help}`
  })
  return [
    'petstore-mock: a pet store on localhost, in memory, that follows its document to the letter',
    '',
    'Usage: petstore-mock [serve] [flags]      answers on localhost until it is stopped',
    '       petstore-mock generate [flags *]   prints a world as a fixture file; takes only the flags marked *',
    '       petstore-mock init <public-dir>    copies the service worker script that petstore-mock/browser needs',
    '',
    ...flags,
    `  ${'-h, --help; -v, --version'.padEnd(32)} this text; the version`,
    '',
    'Scenarios:',
    ...listScenarios().map(({ name, description }) => `  ${name.padEnd(11)} ${description}`),
    '',
    'Each flag has an environment variable: --log-format is PETSTORE_LOG_FORMAT. A flag wins.',
    'Examples:',
    '  petstore-mock --port 0 --seed 7 --log-format json',
    '  petstore-mock generate --pets 1000 > world.json && petstore-mock --fixtures world.json --watch',
    '',
  ].join('\n')
}
