import type { Reproduction } from '../engine/log/reproduction.js'
import { MockError } from '../http/errors.js'
import type { AdminSender } from '../tools/client/admin-sender.js'
import type { JsonSchema } from './admin-schemas.js'
import type { ServiceDocument } from './service-document.js'

/** Something that a client can ask for. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: ToolHints
  /** The arguments conform to the input schema, and the result to the output schema. */
  call(context: ToolContext, args: never): Promise<object>
}

/** What a client may ask its user about before a call. */
interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  /** Nothing outside the mock is reached. */
  readonly openWorldHint: false
}

export const READS: ToolHints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
export const ADDS: ToolHints = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
export const CHANGES: ToolHints = { readOnlyHint: false, destructiveHint: true, openWorldHint: false }

/** What a tool works on during one call. */
export interface ToolContext {
  /** The mock of the session. */
  readonly mock: AdminSender
  /** The OpenAPI document of its service. */
  loadDocument(): Promise<ServiceDocument>
  readonly saveReproduction?: SaveReproduction | undefined
}

/** Writes a file in the folder of the user, and returns its path. Missing where the mock runs on a server. */
export type SaveReproduction = (file: string, reproduction: Reproduction) => string

/** What a session knows of the folder of the user. */
export interface UserFiles {
  /** Whether it can write files there. */
  readonly canWrite: boolean
  /** The path of the document or service file from there, for code. Missing for the built-in service, or if it is not known. */
  readonly source?: string | undefined
}

/** Whoever gives an argument expects something of it. */
export function rejectUnused(args: object, used: readonly string[], reason: string): void {
  const unused = Object.keys(args).find((name) => !used.includes(name))
  if (unused !== undefined) throw new MockError('INVALID_REQUEST', `/${unused} cannot be combined with ${reason}.`)
}
