import { validators } from 'virtual:library'
import { setupWorker } from 'msw/browser'
import {
  type BrowserOptions,
  type BrowserPetstore,
  setupMock,
  setupPetstore,
} from '../../src/adapters/browser/index.js'
import { library } from '../support/library.js'

/** Lets tests start mocks by name and use them inside the page. */
const petstores = new Map<string, BrowserPetstore>()

/** The worker that services share. */
let shared: ReturnType<typeof setupWorker> | undefined

const page = {
  notices: [] as string[],
  setUp(name: string, options: BrowserOptions): BrowserPetstore {
    const petstore = setupPetstore({ onNotice: (notice) => page.notices.push(notice), ...options })
    petstores.set(name, petstore)
    return petstore
  },
  /** Starts a mock. Resolves with the error, or with an empty string. */
  async start(name: string, options: BrowserOptions): Promise<string> {
    return page
      .setUp(name, options)
      .start()
      .then(
        () => '',
        (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
      )
  },
  /** Mocks two services side by side, each below its own path. */
  async startServices(options: BrowserOptions = {}): Promise<void> {
    const petstore = page.setUp('petstore', { ...options, baseUrl: '/pets/api' })
    const books = setupMock(library.withValidators(validators), { ...options, baseUrl: '/books/api' })
    shared?.stop()
    shared = setupWorker(...petstore.handlers, ...books.handlers)
    await Promise.all([petstore.ready, books.ready])
    await shared.start({ onUnhandledRequest: 'bypass', quiet: true })
  },
  get(name: string): BrowserPetstore {
    const petstore = petstores.get(name)
    if (petstore === undefined) throw new Error(`No mock named ${name} was started.`)
    return petstore
  },
}

export type AdapterPage = typeof page

Object.assign(window, { page })
