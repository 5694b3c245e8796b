import { tryStorage } from '../../lib/try-storage.js'

/** What saved state depends on: with another document or other starting data it means nothing. */
interface Origin {
  readonly specHash: string
  /** A hash of the options and of the starting data. */
  readonly startingData: number
}

interface SavedRecord extends Origin {
  /** Missing if it was too large. */
  readonly state?: string | undefined
}

interface PartOptions {
  readonly key: string
  /** For notices. */
  readonly title: string
  readonly maxCharacters: number
  /** What the user can do if it is too large: a sentence. */
  readonly remedy: string
  readonly origin: Origin
  /** Returns undefined if there is nothing to save. */
  save(): string | undefined
  /** Throws if the text is invalid, and changes nothing then. */
  restore(text: string): void
  onNotice(notice: string): void
}

/** A record in the session storage of a tab. */
export function createSavedPart({ key, title, maxCharacters, remedy, origin, save, restore, onNotice }: PartOptions) {
  let isTooLarge = false
  const limit = `The limit is ${maxCharacters.toLocaleString('en')} characters. ${remedy}`

  function discard(reason: string): void {
    tryStorage(() => sessionStorage.removeItem(key))
    onNotice(`petstore-mock discarded the saved ${title} of this tab, because ${reason}`)
  }

  function write(state?: string): void {
    sessionStorage.setItem(key, JSON.stringify({ ...origin, state } satisfies SavedRecord))
  }

  function saveNow(): void {
    const state = save()
    const wasTooLarge = isTooLarge
    isTooLarge = false
    try {
      if (state === undefined) sessionStorage.removeItem(key)
      else if (state.length > maxCharacters) throw new RangeError('too large')
      else write(state)
    } catch {
      isTooLarge = true
      // The next page gives the notice again: in a page that is being closed, it may not be seen.
      tryStorage(() => sessionStorage.removeItem(key))
      tryStorage(write)
      if (wasTooLarge) return
      onNotice(
        state !== undefined && state.length > maxCharacters
          ? `petstore-mock cannot save its ${title}, because it is too large: ${state.length.toLocaleString('en')} characters. ${limit}`
          : `petstore-mock cannot save its ${title}, because the session storage of this tab is full or blocked.`,
      )
    }
  }

  return {
    restore() {
      try {
        const text = sessionStorage.getItem(key)
        if (text === null) return
        const { specHash, startingData, state } = JSON.parse(text) as Partial<SavedRecord>
        if (specHash !== origin.specHash) return discard('the OpenAPI document has changed.')
        if (startingData !== origin.startingData) return discard('the options have changed.')
        if (state === undefined) return discard(`it was too large. ${limit}`)
        restore(state)
      } catch {
        discard('it is invalid.')
      }
    },
    save: saveNow,
    /** For every change: what is too large is not tried again, because that takes long. */
    saveChange() {
      if (!isTooLarge) saveNow()
    },
    clear() {
      isTooLarge = false
      tryStorage(() => sessionStorage.removeItem(key))
    },
  }
}
