import { useEffect, useRef, useState } from 'react'
import type { Category } from '../api/client'
import { replaceRoute, withQuery } from '../router'
import { STATUS_LABELS } from './feedback'
import { type Filter, SORTS, STATUSES } from './filter'

const DEBOUNCE_MS = 250

/** A new filter starts on its first page. */
const change = (changes: Record<string, string | string[]>) => replaceRoute(withQuery({ ...changes, page: '' }))

const searchFor = (name: string) => change({ name })

export function Filters({ filter, categories }: { filter: Filter; categories: Category[] }) {
  const [name, setName] = useDebounced(filter.name, searchFor)

  return (
    <search>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <label className="field field-wide">
          Search by name
          <input type="search" value={name} placeholder="Goldie" onChange={({ target }) => setName(target.value)} />
        </label>
        <label className="field">
          Category
          <select value={filter.category} onChange={({ target }) => change({ category: target.value })}>
            <option value="">All</option>
            {categories.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          Sort by
          <select value={filter.sort} onChange={({ target }) => change({ sort: target.value })}>
            {Object.entries(SORTS).map(([sort, label]) => (
              <option key={sort} value={sort}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <fieldset className="field chips">
          <legend>Status</legend>
          {STATUSES.map((status) => (
            <label key={status} className="chip">
              <input
                type="checkbox"
                checked={filter.status.includes(status)}
                onChange={({ target }) =>
                  change({
                    status: STATUSES.filter((s) => (s === status ? target.checked : filter.status.includes(s))),
                  })
                }
              />
              {STATUS_LABELS[status]}
            </label>
          ))}
        </fieldset>
      </form>
    </search>
  )
}

/** Text that is passed on when the typing pauses, and that follows when the URL changes. */
function useDebounced(value: string, onChange: (value: string) => void) {
  const [draft, setDraft] = useState(value)
  const passedOn = useRef(value)

  useEffect(() => {
    if (value === passedOn.current) return
    passedOn.current = value
    setDraft(value)
  }, [value])

  useEffect(() => {
    if (draft === passedOn.current) return
    const timer = setTimeout(() => {
      passedOn.current = draft
      onChange(draft)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [draft, onChange])

  return [draft, setDraft] as const
}
