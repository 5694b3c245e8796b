import { execFile } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { FileError, linesOf, readForLines, toFileError, withCause } from '../document/load/file-error.js'
import type { AnyService } from '../engine/mock/define-service.js'
import { isService } from '../engine/mock/service-of.js'
import type { ServiceDefinition } from '../engine/service.js'
import { invalidOption, MockError } from '../http/errors.js'
import { placeIn } from '../lib/functions.js'
import { quote } from '../lib/text.js'
import { petstoreService } from '../petstore/service.js'
import { NAMED_FILE, type NamedFile, UsageError } from './flag-values.js'

export type Service = ServiceDefinition<AnyService>

export const builtInService = petstoreService as unknown as Service

export interface ServiceSettings {
  /** The path of an OpenAPI document. */
  document?: string | undefined
  /** The path of a service file. */
  service?: string | undefined
}

/** Takes apart what says which service is meant, and the options of its mock. */
export async function splitSettings<Settings extends ServiceSettings>({
  document,
  service: file,
  ...options
}: Settings) {
  const service = await chooseService({ document, service: file })
  if (service !== builtInService) rejectSizes(options)
  return { service, options }
}

/** The built-in service has a flag for each size. */
function rejectSizes(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (name in builtInService.defaultSizes) {
      throw invalidOption(name, `omitted for another service. Use --size ${name}=${value} instead`, value)
    }
  }
}

/** The service of --document or --service; without them, the built-in one. */
async function chooseService({ document, service }: ServiceSettings): Promise<Service> {
  const file = document ?? service
  if (file === undefined) return builtInService
  rejectNames(file)
  // A service file is a module.
  const isDocument = document !== undefined || /\.(?:ya?ml|json)$/i.test(file)
  return isDocument ? fromDocument(file) : fromServiceFile(file)
}

/** A variable such as PETSTORE_SERVICE may be meant for `serve`, which takes several. */
function rejectNames(file: string): void {
  if ((NAMED_FILE.read(file, '') as NamedFile).name === undefined || existsSync(file)) return
  throw new UsageError(
    `${quote(file)} gives services names, but only serve takes several. Give the file of one, such as shop.yaml.`,
  )
}

/** The path of a file from the working directory, as code has it on every system. */
export function pathInCode(file: string | undefined, cwd: string): string | undefined {
  if (file === undefined) return undefined
  const path = relative(cwd, resolve(cwd, file)).replaceAll(sep, '/')
  // On Windows it is absolute for a file on another drive.
  return path.startsWith('../') || isAbsolute(path) ? path : `./${path}`
}

/** The service of a file that is either an OpenAPI document or a service file, and which of them it is. */
export async function readService(file: string): Promise<{ service: Service; isModule: boolean }> {
  const isModule = /\.[cm]?[jt]s$/.test(file)
  return { service: await (isModule ? fromServiceFile(file) : fromDocument(file)), isModule }
}

async function fromDocument(file: string): Promise<Service> {
  const { createDocumentService, loadDocument } = await import('../engine/mock/load.js')
  try {
    return createDocumentService(await loadDocument(file))
  } catch (error) {
    throw await toFileError(file, error, await readForLines(file))
  }
}

async function fromServiceFile(file: string): Promise<Service> {
  const service = await importDefault(file)
  if (isService(service)) return service
  throw new FileError(file, ['The default export must be a service: export default defineService({ … }).'])
}

/** How often each file was imported, by path. */
const imports = new Map<string, number>()

async function importDefault(file: string): Promise<unknown> {
  const path = resolve(file)
  if (!existsSync(path)) throw new FileError(file, ['File not found.'])
  // A pipe or a device may never end.
  if (!statSync(path).isFile()) throw new FileError(file, ['Not a file.'])
  try {
    const times = imports.get(path) ?? 0
    imports.set(path, times + 1)
    // The file may have changed since, so it has another address each time. A CommonJS module is remembered by its path.
    const url = `${pathToFileURL(path).href}${times === 0 ? '' : `?reload=${times}`}`
    delete createRequire(import.meta.url).cache[realpathSync(path)]
    return ((await import(url)) as { readonly default?: unknown }).default
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts$/.test(file)) throw new FileError(file, [NO_TYPES])
    const place = await placeOf(error, path)
    const [first = '', ...problems] = error instanceof MockError ? linesOf(error) : [message]
    const reason = first.replaceAll(/\s*\n\s*/g, ' ').replace(/:$/, '')
    throw withCause(
      new FileError(file, [`Cannot be imported: ${reason}${place ? ` (${place})` : ''}`, ...problems]),
      error,
    )
  }
}

/** Where a file could not be imported. The stack of a syntax error in an ES module lacks it, and `node --check` has it. */
async function placeOf(error: unknown, path: string): Promise<string | undefined> {
  const own = new Error().stack
  const place = placeIn(String((error as Error).stack), own)
  if (place !== undefined || !(error instanceof SyntaxError)) return place
  const check = promisify(execFile)(process.execPath, ['--check', path])
  return check.then(
    () => undefined,
    ({ stderr }) => placeIn(String(stderr), own),
  )
}

const NO_TYPES = `Node ${process.versions.node} does not read TypeScript: use Node 22.18 or later, or a file of JavaScript.`

/** Which services are served: one, or several with names. */
export interface ServicesSettings extends ServiceSettings {
  documents?: readonly NamedFile[]
  services?: readonly NamedFile[]
}

export interface ChosenService {
  /** Missing if there is only one. */
  readonly name: string | undefined
  readonly service: Service
  /** Missing for the built-in service. */
  readonly file: string | undefined
  /** Reads the file again. */
  reload(): Promise<Service>
}

const BUILT_IN: ChosenService = {
  name: undefined,
  service: builtInService,
  file: undefined,
  reload: async () => builtInService,
}

/** Takes apart what says which services are meant, and the options of their mocks. */
export async function splitServices<Settings extends ServicesSettings>({
  document,
  service,
  documents = [],
  services = [],
  ...options
}: Settings): Promise<{
  chosen: readonly [ChosenService, ...ChosenService[]]
  options: Omit<Settings, keyof ServicesSettings>
}> {
  const files = [
    ...services.map(({ name, file }) => ({ name, service: file })),
    ...documents.map(({ name, file }) => ({ name, document: file })),
    ...(document === undefined ? [] : [{ name: undefined, document }]),
    ...(service === undefined ? [] : [{ name: undefined, service }]),
  ]
  checkNames(files.map(({ name }) => name))
  if (files.length === 0) return { chosen: [BUILT_IN], options }
  rejectSizes(options)
  if (files[0]?.name !== undefined) rejectOptionsOfOne(options)
  const chosen = files.map(async ({ name, ...given }: { name?: string | undefined } & ServiceSettings) => ({
    name,
    service: await chooseService(given),
    file: given.document ?? given.service,
    reload: () => chooseService(given),
  }))
  return { chosen: (await Promise.all(chosen)) as [ChosenService, ...ChosenService[]], options }
}

function checkNames(names: readonly (string | undefined)[]): void {
  if (names.length > 1 && names.includes(undefined)) {
    throw new UsageError(
      'Several services need a name each, as in --service shop=shop.js --document billing=billing.yaml.',
    )
  }
  const repeated = names.find((name, index) => name !== undefined && names.indexOf(name) !== index)
  if (repeated !== undefined) throw new UsageError(`Two services have the name ${quote(repeated)}. Give each its own.`)
}

/** Flags that would mean something else for each service. */
function rejectOptionsOfOne(options: object): void {
  const flag = ['fixtures', 'record', 'sizes'].find((name) => name in options)
  if (flag === undefined) return
  const hint = flag === 'record' ? 'Get /__admin/reproduction of each' : 'Put its starting data into the service file'
  throw new UsageError(`--${flag === 'sizes' ? 'size' : flag} is for one service. ${hint}.`)
}
