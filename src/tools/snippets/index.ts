import type { RecordedExchange } from '../../engine/log/reproduction.js'
import { specHash } from '../../generated/petstore/spec-hash.js'
import { toOverrides } from './override.js'
import { toCurl, toFetch } from './request.js'
import { type TestedRun, type TestFiles, toTest } from './test.js'

/** Ways to write recorded requests as code. */
export const SNIPPET_KINDS = ['vitest', 'playwright', 'curl', 'fetch', 'override'] as const

export type SnippetKind = (typeof SNIPPET_KINDS)[number]

export interface SnippetSettings extends TestFiles {
  /** The address of the API, for curl and fetch. */
  readonly base: string
}

/** Writes requests of a reproduction as code. `selected` are some of its steps, in order. */
export function toSnippet(
  kind: SnippetKind,
  reproduction: TestedRun,
  selected: readonly RecordedExchange[],
  { base, ...files }: SnippetSettings,
): string {
  const mock = reproduction.specHash === specHash ? 'petstore' : 'mock'
  if (kind === 'override') return toOverrides(mock, selected)
  if (kind === 'curl') return selected.map((each) => toCurl(base, each)).join('\n\n')
  if (kind === 'fetch') {
    const nameOf = (index: number) => (selected.length > 1 ? `response${index + 1}` : 'response')
    return selected.map((each, index) => toFetch(base, each, nameOf(index))).join('\n\n')
  }
  return toTest(kind, mock, reproduction, selected, files)
}
