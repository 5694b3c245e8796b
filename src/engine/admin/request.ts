import type { PathOf, ResponseOf } from '../../document/schema/types.js'
import { adminOperations } from '../../generated/engine/admin/admin-operations.js'
import type { operations } from '../../generated/engine/admin/admin-types.js'
import { encodePart } from '../../lib/text.js'

export type AdminOperation = keyof typeof adminOperations

type PathNames<O extends AdminOperation> = keyof PathOf<operations[O]>

/** What a request says: the parameters of its path and query, and its body. */
export interface AdminArguments {
  readonly path?: object
  readonly query?: object
  readonly body?: unknown
}

/** An operation with parameters in its path needs them. */
export type ArgumentsOf<O extends AdminOperation> = [PathNames<O>] extends [never]
  ? [given?: AdminArguments]
  : [given: AdminArguments & { readonly path: Readonly<Record<PathNames<O>, unknown>> }]

/** The body of a success. */
export type AdminResult<O extends AdminOperation> = Extract<
  ResponseOf<operations[O]>,
  { readonly status: 200 | 201 | 204 }
>['body']

/** Sends a request, and resolves with the body of the response. Another type for it is the caller's word. */
export type SendAdmin = <O extends AdminOperation, Result = AdminResult<O>>(
  operation: O,
  ...given: ArgumentsOf<O>
) => Promise<Result>

/** The request of an operation of the admin API, as spec/admin.yaml has it. */
export function toAdminRequest(operation: AdminOperation, { path, query = {} }: AdminArguments = {}) {
  const [method = '', template = ''] = adminOperations[operation].split(' ')
  const values = Object(path) as Readonly<Record<string, unknown>>
  const target = template.replaceAll(/\{(\w+)\}/g, (_, name) => toSegment(String(values[name])))
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodePart(name)}=${encodePart(String(value))}`)
  return { method, target: parts.length === 0 ? target : `${target}?${parts.join('&')}` }
}

/** Dots would lead to another path. */
const toSegment = (text: string) => encodePart(text).replace(/^\.{1,2}$/, (dots) => dots.replaceAll('.', '%252E'))

const PATTERNS = Object.entries(adminOperations).map(
  ([operation, request]) =>
    [operation as AdminOperation, new RegExp(`^${request.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)] as const,
)

/** The operation that a request is for, and the parameters of its path as they were sent. */
export function readAdminRequest({ method, path }: { readonly method: string; readonly path: string }) {
  for (const [operation, pattern] of PATTERNS) {
    const match = pattern.exec(`${method} ${path}`)
    if (match) return { operation, path: { ...match.groups } }
  }
  return undefined
}
