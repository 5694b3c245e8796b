import { MockError } from '../../http/errors.js'

/**
 * Imports the user's msw, and says so if it is not installed. The ES modules of the package do this instead of importing it
 * statically: Node would report the missing package before any of our code runs, with the name of a file of ours.
 */
export async function importMsw<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Jest has a code without ERR, and names the import instead of the package.
    if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? '') || !/['"]msw(?:\/node)?['"]/.test(message)) throw error
    const sentence = 'petstore-mock needs msw to intercept requests, and it is not installed.'
    throw new MockError('UNSUPPORTED_MSW', `${sentence} Run: npm install --save-dev msw`)
  }
}
