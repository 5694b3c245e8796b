import type { Runner } from './control.js'
import { type MockName, quoteText, toComment } from './literal.js'

interface Head {
  readonly imports: readonly string[]
  readonly lines: readonly string[]
}

interface HeadSettings {
  /** The options of the mock, as code. */
  readonly options: string | undefined
  /** The path of the document or service file of a service that is not built in, if it is known. */
  readonly source: string | undefined
}

/** What declares the function `test`, whose tests have a mock of the service. */
export function toHead(runner: Runner, mock: MockName, { options, source }: HeadSettings): Head {
  if (mock === 'mock') return toOwnHead(runner, { options, source })
  if (runner === 'playwright') return { imports: [toImport(runner, ['expect', 'test'])], lines: toUse(options) }
  return {
    imports: [toImport(runner, ['expect', 'test as petstoreTest'])],
    lines: [`const test = petstoreTest.extend('petstoreOptions', ${options})`, ''],
  }
}

function toOwnHead(runner: Runner, { options, source }: HeadSettings): Head {
  const isServiceFile = source !== undefined && /\.[cm]?[jt]s$/.test(source)
  const path = quoteText(source ?? './openapi.yaml')
  const place = 'Where your document is. If you have a service file, import the service from it instead.'
  const remarks = source === undefined ? [toComment(place)] : []
  const imports = [
    toImport(runner, ['createTest', 'expect']),
    ...(isServiceFile ? [`import service from ${path} // relative to this file`] : []),
  ]
  const entry = isServiceFile ? 'service' : `document: ${path}`
  if (runner === 'playwright') {
    return { imports, lines: [...remarks, `const test = createTest({ mock: { ${entry} } })`, '', ...toUse(options)] }
  }
  const test = `const test = createTest({ mock: { ${entry}, ...options } })`
  return { imports, lines: [`const options = ${options}`, ...remarks, test, ''] }
}

function toImport(runner: Runner, names: readonly string[]): string {
  return `import { ${names.join(', ')} } from 'petstore-mock/${runner}'`
}

/** The options of the server that a worker of Playwright starts, if it needs some. */
function toUse(options: string | undefined): string[] {
  if (options === undefined) return []
  return [
    toComment('Without the option petstoreUrl: the worker starts a server.'),
    `test.use({ petstoreOptions: ${options} })`,
    '',
  ]
}
