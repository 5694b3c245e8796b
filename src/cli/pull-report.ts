import { quote } from '../lib/quote.js'
import { LIST_NAMES } from '../petstore/fixtures/lists.js'
import { countOf, joinWords, pluralOf } from '../remote/pull/lists.js'
import type { OnPage, Pulled } from '../remote/pull/pull-service.js'
import { createRewrittenLine, type Output } from './io.js'

/** What was written, and what was not, one line each. */
export function describePulled({ fixture, omissions, notes }: Pulled, file: string | undefined): string[] {
  const counts = LIST_NAMES.map((list) => countOf(list, fixture[list].length))
  const where = file === undefined ? '' : ` to ${file}`
  const dropped = LIST_NAMES.filter((list) => omissions[list].fields.size > 0).map(
    (list) => `${[...omissions[list].fields].map(showName).join(', ')} (${pluralOf(list)})`,
  )
  const leftOut = LIST_NAMES.filter((list) => omissions[list].count > 0).map((list) => {
    const { count, examples } = omissions[list]
    const more = count > examples.length ? `; and ${(count - examples.length).toLocaleString('en-US')} more` : ''
    return `Left out ${countOf(list, count)}: ${examples.join('; ')}${more}.`
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
    show(list, count, total) {
      const of = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`
      show(`Reading ${pluralOf(list)}: ${count.toLocaleString('en-US')}${of}`)
    },
    erase: () => show(''),
  }
}
