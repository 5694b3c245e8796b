import { quote } from '../lib/quote.js'
import { listedResources } from '../remote/pull/listed-resources.js'
import type { OnPage, Pulled, PulledService } from '../remote/pull/pull-service.js'
import type { Omissions } from '../remote/pull/record-filter.js'
import { countOf, joinWords, pluralOf } from '../remote/pull/words.js'
import { createRewrittenLine, type Output } from './io.js'

/** What was written, and what was not, one line each. */
export function describePulled(
  { fixture, omissions, notes }: Pulled,
  { fixtureFormat }: PulledService,
  file: string | undefined,
): string[] {
  const pulled = listedResources(fixtureFormat).map((resource) => ({
    resource,
    records: fixture[resource.name] ?? [],
    omitted: omissions[resource.name] as Omissions,
  }))
  const counts = pulled.map(({ resource, records }) => countOf(resource, records.length))
  const where = file === undefined ? '' : ` to ${file}`
  const dropped = pulled
    .filter(({ omitted }) => omitted.fields.size > 0)
    .map(({ resource, omitted }) => `${[...omitted.fields].map(showName).join(', ')} (${pluralOf(resource)})`)
  const leftOut = pulled
    .filter(({ omitted }) => omitted.count > 0)
    .map(({ resource, omitted: { count, examples } }) => {
      const more = count > examples.length ? `; and ${(count - examples.length).toLocaleString('en-US')} more` : ''
      return `Left out ${countOf(resource, count)}: ${examples.join('; ')}${more}.`
    })
  return [
    `Wrote ${joinWords(counts)}${where}.`,
    ...(dropped.length > 0 ? [`Dropped fields that the OpenAPI document does not have: ${dropped.join(', ')}.`] : []),
    ...leftOut,
    ...notes,
  ]
}

function showName(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : quote(name)
}

/** A line on a terminal that shows how far a list has been read. */
export function createPageLine(output: Output): { show: OnPage; erase: () => void } {
  const show = output.isTTY ? createRewrittenLine((text) => output.write(text)) : () => {}
  return {
    show(resource, count, total) {
      const of = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`
      show(`Reading ${pluralOf(resource)}: ${count.toLocaleString('en-US')}${of}`)
    },
    erase: () => show(''),
  }
}
