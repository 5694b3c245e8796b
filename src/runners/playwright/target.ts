import type { JournalEntry } from '../../engine/log/journal-entry.js'

/** Returns the address in the mock for a URL of the application; undefined for what is not mocked. */
export type ToMock = (url: string) => string | undefined

/** The sandbox that a test has of one service. */
export interface Target {
  /** Its name in the test. */
  readonly name: string
  /** The address of the mock. */
  readonly url: string
  readonly adminToken: string | undefined
  readonly sandbox: string
  /** The address to which the application sends its requests, and the option that says it. */
  readonly baseUrl: string
  readonly option: BaseUrlOption
  readonly toMock: ToMock
  /** Requests that the server of the mock has refused. */
  readonly refused: Promise<JournalEntry | undefined>[]
}

export type BaseUrlOption = 'petstoreBaseUrl' | 'baseUrl'
