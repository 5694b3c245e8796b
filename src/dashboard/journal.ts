import { type Api, ApiFailure } from './api.js'
import { createObservable, type Observable } from './observable.js'
import { oneAtATime } from './scheduling.js'
import type { Journal, JournalEntry } from './types.js'

export interface JournalView {
  /** Oldest first. Does not change while paused. */
  readonly entries: readonly JournalEntry[]
  /** Recorded since it was paused. */
  readonly pending: readonly JournalEntry[]
  /** How many requests the mock has received. */
  readonly total: number
  readonly loaded: boolean
  readonly paused: boolean
  readonly failure?: ApiFailure
}

export interface JournalFollower {
  readonly view: Observable<JournalView>
  /** Reads the entries that are not in the view yet. */
  catchUp(): Promise<void>
  setPaused(paused: boolean): void
  clear(): Promise<void>
}

/** The view holds the newest entries only. The HAR download has everything that the mock has recorded. */
const MAX_ENTRIES = 300

const EMPTY: JournalView = { entries: [], pending: [], total: 0, loaded: false, paused: false }

export function followJournal(api: Api): JournalFollower {
  const view = createObservable(EMPTY)

  async function readNew(): Promise<void> {
    const last = view.get().pending.at(-1) ?? view.get().entries.at(-1)
    const journal = await readSince(api, last === undefined ? 0 : last.id - 1)
    if (last === undefined) add(journal.entries, journal.total)
    else if (isSame(journal.entries[0], last)) add(journal.entries.slice(1), journal.total)
    else {
      // The journal was cleared, or it has more new entries than one read returns.
      const { entries, total } = await readSince(api, 0)
      add(entries, total, EMPTY)
    }
  }

  function add(added: readonly JournalEntry[], total: number, { entries, pending } = view.get()): void {
    const { paused } = view.get()
    const append = (list: readonly JournalEntry[]) => [...list, ...added].slice(-MAX_ENTRIES)
    const lists = paused ? { entries, pending: append(pending) } : { entries: append(entries), pending: [] }
    view.set({ ...lists, total, loaded: true, paused })
  }

  const catchUp = oneAtATime(async () => {
    try {
      await readNew()
    } catch (error) {
      // Without a response the page already shows that it is disconnected.
      if (error instanceof ApiFailure && error.status > 0) view.set({ ...view.get(), loaded: true, failure: error })
      throw error
    }
  })

  return {
    view,
    catchUp,
    setPaused(paused) {
      const { failure: _, entries, pending, ...rest } = view.get()
      view.set({ ...rest, paused, entries: [...entries, ...pending].slice(-MAX_ENTRIES), pending: [] })
    },
    async clear() {
      await api.admin('DELETE', '/journal')
      await catchUp()
    },
  }
}

function readSince(api: Api, since: number): Promise<Journal> {
  return api.admin<Journal>('GET', `/journal?since=${since}&limit=${MAX_ENTRIES}`)
}

/** Ids start at 1 again after a reset, so comparing ids is not enough. */
function isSame(one: JournalEntry | undefined, other: JournalEntry): boolean {
  return one?.id === other.id && one.at === other.at && one.method === other.method && one.path === other.path
}
