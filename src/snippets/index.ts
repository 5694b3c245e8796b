import type { RecordedExchange, Reproduction } from '../engine/reproduction/reproduction.js'
import { toCurl } from './curl.js'
import { toFetch } from './fetch.js'
import { toOverrides } from './override.js'
import { toTest } from './test.js'

/** Ways to write recorded requests as code. */
export const SNIPPET_KINDS = ['vitest', 'playwright', 'curl', 'fetch', 'override'] as const

export type SnippetKind = (typeof SNIPPET_KINDS)[number]

interface SnippetSettings {
  /** The address of the API, for curl and fetch. */
  readonly base: string
  /** The path of the reproduction, for tests that read large data from it. Without it, all data is in the test. */
  readonly file?: string
}

/** Writes requests of a reproduction as code. `selected` are some of its steps, in order. */
export function toSnippet(
  kind: SnippetKind,
  reproduction: Pick<Reproduction, 'options' | 'start' | 'missing' | 'steps'>,
  selected: readonly RecordedExchange[],
  { base, file }: SnippetSettings,
): string {
  if (kind === 'override') return toOverrides(selected)
  if (kind === 'curl') return selected.map((each) => toCurl(base, each)).join('\n\n')
  if (kind === 'fetch') {
    const nameOf = (index: number) => (selected.length > 1 ? `response${index + 1}` : 'response')
    return selected.map((each, index) => toFetch(base, each, nameOf(index))).join('\n\n')
  }
  return toTest(kind, reproduction, selected, file)
}
