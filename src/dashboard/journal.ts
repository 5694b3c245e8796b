import { type Api, Refusal } from './api.js'
import { createObservable, type Observable } from './observable.js'
import type { Journal, JournalEntry } from './types.js'

/** What the list of requests shows. */
export interface JournalView {
  /** Oldest first. Stands still while it is paused. */
  readonly entries: readonly JournalEntry[]
  /** How many requests the mock has answered. */
  readonly total: number
  /** Whether it was read at all. */
  readonly known: boolean
  readonly paused: boolean
  /** What has come since it was paused. */
  readonly waiting: readonly JournalEntry[]
  /** Why the newest cannot be read. */
  readonly problem?: Refusal
}

export interface JournalFollower {
  readonly view: Observable<JournalView>
  /** Reads what is not known yet. */
  catchUp(): Promise<void>
  setPaused(paused: boolean): void
  clear(): Promise<void>
}

/** More than a person looks through; the HAR download has everything that the mock keeps. */
const MAX_KEPT = 300

export function followJournal(api: Api): JournalFollower {
  const view = createObservable<JournalView>({ entries: [], total: 0, known: false, paused: false, waiting: [] })
  let running: Promise<void> | undefined
  let again = false

  async function readAll(): Promise<void> {
    const last = [...view.get().entries, ...view.get().waiting].at(-1)
    const answer = await readSince(api, last === undefined ? 0 : last.id - 1)
    if (last === undefined || isSame(answer.entries[0], last)) show(answer, answer.entries.slice(last ? 1 : 0))
    // Something else was there before: it was reset or cleared, or more has come than is kept.
    else startOver(await readSince(api, 0))
  }

  /** It may have been paused, or let go, while the answer was on its way. */
  function show({ total }: Journal, news: readonly JournalEntry[]): void {
    const { entries, waiting, paused } = view.get()
    const kept = paused ? entries : [...entries, ...news].slice(-MAX_KEPT)
    const held = paused ? [...waiting, ...news].slice(-MAX_KEPT) : []
    view.set({ entries: kept, total, known: true, paused, waiting: held })
  }

  function startOver({ total, entries }: Journal): void {
    const { paused } = view.get()
    view.set({ entries: paused ? [] : entries, total, known: true, paused, waiting: paused ? entries : [] })
  }

  async function catchUp(): Promise<void> {
    again = true
    running ??= (async () => {
      try {
        while (again) {
          again = false
          await readAll()
        }
      } catch (error) {
        // Without an answer the connection is cut off, which is said already.
        if (error instanceof Refusal && error.status > 0) view.set({ ...view.get(), known: true, problem: error })
        throw error
      } finally {
        running = undefined
      }
    })()
    return running
  }

  return {
    view,
    catchUp,
    setPaused(paused) {
      const { entries, waiting, total, known } = view.get()
      const shown = paused ? entries : [...entries, ...waiting].slice(-MAX_KEPT)
      view.set({ entries: shown, total, known, paused, waiting: [] })
    },
    async clear() {
      await api.control('DELETE', '/journal')
      await catchUp()
    },
  }
}

function readSince(api: Api, since: number): Promise<Journal> {
  return api.control<Journal>('GET', `/journal?since=${since}&limit=${MAX_KEPT}`)
}

/** Ids begin anew with a reset, so the id alone does not say that it is the same. */
function isSame(one: JournalEntry | undefined, other: JournalEntry): boolean {
  return one?.id === other.id && one.at === other.at && one.method === other.method && one.path === other.path
}
