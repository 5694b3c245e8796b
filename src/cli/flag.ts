import type { ValueType } from './flag-values.js'

export interface Flag extends ValueType {
  /** The setting, if it is not the name of the flag in camel case. */
  readonly setting?: string
  readonly short?: string
  /** Separates several values in the environment variable. Without a separator, the flag can be given only once. */
  readonly separator?: ',' | '\n'
  /** Makes one value of all those of a repeatable flag. Default: a list of them. */
  readonly combine?: (values: readonly never[]) => unknown
  /** An empty environment variable is an error instead of being ignored. */
  readonly isSecret?: true
  readonly help: string
}

export type Flags = Readonly<Record<string, Flag>>

/** `log-format` for `logFormat`. */
export function toKebabCase(setting: string): string {
  return setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The setting of `--log-format` is `logFormat`. */
export function settingOf(name: string, { setting }: Flag): string {
  return setting ?? name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The environment variable of `--log-format` is PETSTORE_LOG_FORMAT. */
export function variableOf(flag: string): string {
  return `PETSTORE_${flag.toUpperCase().replaceAll('-', '_')}`
}
