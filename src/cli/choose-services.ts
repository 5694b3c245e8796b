import { quote } from '../lib/quote.js'
import { builtInService, chooseService, rejectSizes, type Service, type ServiceSettings } from './choose-service.js'
import { type NamedFile, UsageError } from './flag-values.js'

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
