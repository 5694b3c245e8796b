import { type Flag, settingOf } from './flag.js'
import { UsageError } from './flag-values.js'
import { COMMAND_NAMES, flagsOf, STARTED_MOCK_FLAGS } from './flags.js'
import { NEED_UPSTREAM } from './serve-flags.js'
import type { CommandName } from './settings.js'

type Table = Partial<Record<CommandName, Readonly<Record<string, readonly string[]>>>>

/** Flags that have no effect without others. */
const REQUIRED: Table = {
  serve: {
    force: ['record'],
    'cors-credentials': ['cors'],
    'https-cert': ['https', 'https-key'],
    'https-key': ['https', 'https-cert'],
    'https-client-ca': ['https'],
    ...Object.fromEntries(NEED_UPSTREAM.map((flag) => [flag, ['upstream']])),
  },
  pull: { force: ['output'] },
  replay: {
    'allow-writes': ['against'],
    header: ['against'],
    timeout: ['against'],
    ca: ['against'],
    requests: ['as'],
    port: ['until'],
    host: ['until'],
    open: ['until'],
  },
  mcp: { token: ['url'] },
}

/** Flags that have no effect without one of others. */
const REQUIRED_ONE: Table = {
  serve: { watch: ['fixtures', 'document', 'service'] },
}

/** Flags that contradict another one, or have no effect with it. */
const EXCLUDED: Table = {
  mcp: { url: STARTED_MOCK_FLAGS },
  pull: {
    har: ['reproduction', 'limit', 'header', 'timeout', 'ca'],
    reproduction: ['limit', 'header', 'timeout', 'ca'],
  },
  replay: {
    against: ['until', 'with-delays', 'fixtures'],
    as: ['fixtures', 'until', 'with-delays', 'format', 'allow-writes', 'header', 'timeout', 'ca'],
    until: ['format'],
  },
}

/** Rejects flags that do not go together. `sources` has the flag or environment variable of each setting. */
export function checkCombinations(
  command: CommandName,
  settings: Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, string>>,
): void {
  const toSetting = (flag: string): string => settingOf(flag, flagsOf(command)[flag] as Flag)
  /** The flag or variable, if it is set. A switch can be set to false. */
  const find = (flag: string): string | undefined =>
    settings[toSetting(flag)] === false ? undefined : sources[toSetting(flag)]
  /** A variable that other commands read, too, may be meant for them, and is ignored. */
  const findOwn = (flag: string): string | undefined => {
    const source = find(flag)
    return source?.startsWith('-') || !isShared(flag) ? source : undefined
  }

  for (const [flag, required] of Object.entries(REQUIRED[command] ?? {})) {
    const source = findOwn(flag)
    const missing = source && required.find((other) => !find(other))
    if (missing) throw new UsageError(`${source} requires --${missing}.`)
  }
  for (const [flag, choices] of Object.entries(REQUIRED_ONE[command] ?? {})) {
    const source = findOwn(flag)
    if (!source || choices.some(find)) continue
    const names = choices.map((name) => `--${name}`)
    throw new UsageError(`${source} requires ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`)
  }
  for (const [flag, excluded] of Object.entries(EXCLUDED[command] ?? {})) {
    const other = find(flag) && excluded.map(findOwn).find((source) => source !== undefined)
    if (other) throw new UsageError(`${other} cannot be combined with ${find(flag)}.`)
  }
  const [readOnly, allowWrites] = command === 'verify' ? [find('read-only'), find('allow-writes')] : []
  if (readOnly && allowWrites) throw new UsageError(`${readOnly} and ${allowWrites} contradict each other.`)
}

function isShared(flag: string): boolean {
  return COMMAND_NAMES.filter((command) => Object.hasOwn(flagsOf(command), flag)).length > 1
}
