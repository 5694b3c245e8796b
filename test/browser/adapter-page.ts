import { type BrowserOptions, type BrowserPetstore, setupPetstore } from '../../src/adapters/browser/index.js'

/** Lets tests start mocks by name and use them inside the page. */
const petstores = new Map<string, BrowserPetstore>()

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
  get(name: string): BrowserPetstore {
    const petstore = petstores.get(name)
    if (petstore === undefined) throw new Error(`No mock named ${name} was started.`)
    return petstore
  },
}

export type AdapterPage = typeof page

Object.assign(window, { page })
