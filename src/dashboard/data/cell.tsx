import { dateAndTime } from '../format.js'
import { Badge } from '../parts/bits.js'
import { Link } from '../parts/link.js'
import { type Field, type Kind, type KindName, kindOf, type Row, titleOf } from './kinds.js'

export interface CellProps {
  readonly kind: Kind
  readonly field: Field
  readonly row: Row
  readonly categories: ReadonlyMap<string, string>
}

/** A value of a record: a link where it is the id of something. */
export function Cell({ kind, field, row, categories }: CellProps) {
  const value = row[field.name]
  if (value === undefined) return <span class="quiet">none</span>
  const text = String(value)
  if (field.of)
    return <Related of={field.of} id={text} name={field.of === 'categories' ? categories.get(text) : undefined} />
  if (field.name === kind.key) return <Link to={`/data/${kind.name}/${text}`}>{text}</Link>
  if (field.type === 'status') return <Badge kind={`pet-${text}`}>{text}</Badge>
  if (field.type === 'boolean') return <Badge kind={value ? '' : 'accent'}>{value ? 'complete' : 'open'}</Badge>
  if (field.type === 'date') return <time dateTime={text}>{dateAndTime(text)}</time>
  return <span class="value">{text}</span>
}

function Related({ of, id, name }: { of: KindName; id: string; name: string | undefined }) {
  return <Link to={`/data/${of}/${id}`}>{name === undefined ? titleOf(kindOf(of), id) : name || `Category ${id}`}</Link>
}
