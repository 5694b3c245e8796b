import type { ServerOptions } from '../adapters/server/options.js'
import type { ResetOptions } from '../petstore/types.js'
import type { SnippetKind } from '../tools/snippets/index.js'
import type { ServiceSettings, ServicesSettings } from './choose-service.js'

export interface ServeSettings extends Omit<ServerOptions, 'fixtures'>, ServicesSettings {
  /** The path of the fixture file. */
  fixtures?: string
  watch?: boolean
  coverage?: boolean
  /** The path of the reproduction file to write. */
  record?: string
  force?: boolean
  open?: boolean
  quiet: boolean
  logFormat: 'pretty' | 'json'
}

export type DataSettings = Omit<ResetOptions, 'fixtures'>

export interface GenerateSettings extends DataSettings, ServiceSettings {
  format: 'json' | 'yaml'
}

export interface VerifySettings extends ServiceSettings {
  readOnly?: boolean
  allowWrites?: boolean
  format: 'text' | 'json' | 'junit'
  /** Only these are checked. Default: all. */
  operations?: readonly string[]
  /** Headers that are not compared, as in VERIFIED_HEADERS. */
  ignoredHeaders?: readonly string[]
  headers: readonly (readonly [name: string, value: string])[]
  /** In milliseconds, for each request. */
  timeout: number
  /** The path of a certificate to trust, besides those that Node trusts. */
  ca?: string
}

export interface PullSettings extends Pick<VerifySettings, keyof ServiceSettings | 'headers' | 'timeout' | 'ca'> {
  /** The path of a file with recorded traffic, which is read instead of the service. */
  har?: string
  /** The path of a reproduction, whose passed requests are read instead. */
  reproduction?: string
  /** The path of the fixture file to write. */
  output?: string
  force?: boolean
  /** The maximum number of records of each kind. */
  limit?: number
}

export interface ReplaySettings
  extends Pick<VerifySettings, keyof ServiceSettings | 'format' | 'headers' | 'timeout' | 'ca' | 'allowWrites'>,
    Pick<ServeSettings, 'port' | 'host' | 'open'> {
  /** The base URL of a service, which receives the requests instead of a mock in memory. */
  against?: string
  /** The path of a fixture file to start with. */
  fixtures?: string
  /** Serves from before the request with this number. */
  until?: number
  withDelays?: boolean
  /** Prints the requests as code, and repeats nothing. */
  as?: SnippetKind
  /** The numbers of the first and the last request to print. */
  requests?: readonly [first: number, last: number]
}

export interface McpSettings extends ServeSettings {
  /** The base URL of a running mock, which is used instead of a new one. */
  url?: string
  /** The token that its admin API requires. */
  token?: string
}

export interface SpecSettings extends ServiceSettings {
  format: 'yaml' | 'json'
}

export interface InspectSettings {
  format: 'text' | 'json' | 'service'
  /** The name of an operation. */
  explain?: string
}

export interface CompileSettings {
  /** The path of the module to write. */
  output?: string
  force?: boolean
}

export interface Settings {
  serve: ServeSettings
  generate: GenerateSettings
  init: object
  verify: VerifySettings
  pull: PullSettings
  replay: ReplaySettings
  mcp: McpSettings
  inspect: InspectSettings
  compile: CompileSettings
  spec: SpecSettings
}

export type CommandName = keyof Settings
