import { relative, resolve } from 'node:path'
import type { ServiceSummary } from '../engine/mock/summary.js'
import { count, printable } from './io.js'

export function describeCounts({ operations, resources, stateless }: ServiceSummary): string {
  return `${count(resources.length, 'resource')}, ${count(operations, 'operation')}, ${stateless.length} of them without state`
}

const MAX_LINES = 8

/** The same in a few lines, for the start of the server. `file` is that of the document. */
export function startLines(summary: ServiceSummary, file: string): string[] {
  const { resources, notUnderstood } = summary
  const rows = resources.map(({ name, operations }) => `${name}: ${Object.keys(operations).join(', ')}`)
  const shown = [...cut(rows, MAX_LINES - Math.min(2, notUnderstood.length)), ...cut(notUnderstood, 2)]
  const hidden = rows.length + notUnderstood.length - shown.length
  const command = `petstore-mock inspect ${relative('.', resolve(file))}`
  return [
    describeCounts(summary),
    ...shown.map((row) => `  ${printable(row)}`),
    ...(hidden > 0 ? [`  and ${hidden} more: ${command}`] : []),
  ]
}

const cut = (rows: readonly string[], length: number) => rows.slice(0, length)
