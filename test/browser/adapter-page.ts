import { type BrowserOptions, type BrowserPetstore, setupPetstore } from '../../src/adapters/browser/index.js'

/** What a test does in a page: it sets up pet stores by name and asks them for what cannot be carried out of the page. */
const petstores = new Map<string, BrowserPetstore>()

const page = {
  notices: [] as string[],
  /** Starts a pet store; resolves with why it could not, or with nothing. */
  async start(name: string, options: BrowserOptions): Promise<string> {
    const petstore = setupPetstore({ onNotice: (notice) => page.notices.push(notice), ...options })
    petstores.set(name, petstore)
    return petstore.start().then(
      () => '',
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    )
  },
  get(name: string): BrowserPetstore {
    const petstore = petstores.get(name)
    if (petstore === undefined) throw new Error(`no pet store ${name} was started`)
    return petstore
  },
}

export type AdapterPage = typeof page

Object.assign(window, { page })
