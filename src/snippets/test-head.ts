import type { Reproduction } from '../engine/reproduction/reproduction.js'
import { TITLE } from '../petstore/title.js'
import type { Runner } from './control.js'
import { toComment } from './fetch.js'
import { quoteText } from './literal.js'
import { mockNameOf } from './tested-service.js'

interface Head {
  readonly imports: readonly string[]
  readonly lines: readonly string[]
}

interface HeadSettings {
  /** Those of the mock, as code. */
  readonly options: string | undefined
  /** The path of the document or service file of a service that is not built in, if it is known. */
  readonly source: string | undefined
}

/** What declares the function `test`, whose tests have a mock of the service. */
export function toHead(
  runner: Runner,
  reproduction: Pick<Reproduction, 'specHash' | 'document'>,
  { options, source }: HeadSettings,
): Head {
  if (mockNameOf(reproduction) === 'mock') return toOwnHead(runner, reproduction, { options, source })
  if (runner === 'playwright') return { imports: [toImport(runner, ['expect', 'test'])], lines: toUse(options) }
  return {
    imports: [toImport(runner, ['expect', 'test as petstoreTest'])],
    lines: [`const test = petstoreTest.extend('petstoreOptions', ${options})`, ''],
  }
}

function toOwnHead(
  runner: Runner,
  { document }: Pick<Reproduction, 'document'>,
  { options, source }: HeadSettings,
): Head {
  const isServiceFile = source !== undefined && /\.[cm]?[jt]s$/.test(source)
  const path = quoteText(source ?? './openapi.yaml')
  const place = 'Where your document is. If you have a service file, import the service from it instead.'
  const remarks = source === undefined ? [toComment(place)] : []
  const imports = (names: readonly string[]) => [
    toImport(runner, ['createTest', ...names]),
    ...(isServiceFile ? [`import service from ${path} // relative to this file`] : []),
  ]
  if (runner === 'playwright') {
    const entry = isServiceFile ? 'service' : `document: ${path}`
    const test = `const test = createTest({ mock: { ${entry} } })`
    return { imports: imports(['expect']), lines: [...remarks, test, '', ...toUse(options)] }
  }
  const test = [`const options = ${options}`, 'const test = createTest({ mock: { service, ...options } })', '']
  if (isServiceFile) return { imports: imports(['expect']), lines: test }
  const loaded = `await loadDocument(${path})`
  const [define, argument] =
    document?.title === TITLE ? ['definePetstore', loaded] : ['defineService', `{ document: ${loaded} }`]
  return {
    imports: imports([define, 'expect', 'loadDocument']),
    lines: [...remarks, `const service = ${define}(${argument})`, ...test],
  }
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
