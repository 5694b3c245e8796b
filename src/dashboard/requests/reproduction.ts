import type { RecordedExchange, Reproduction } from '../../engine/reproduction/reproduction.js'
import { type SnippetKind, toSnippet } from '../../snippets/index.js'
import { type Api, ApiFailure } from '../api.js'
import { download } from '../components/display.js'
import { prettyJson } from '../pretty-json.js'

/** Downloads the reproduction of the chosen instance. */
export async function saveReproduction(api: Api): Promise<void> {
  const reproduction = await load(api, api.base)
  download(fileNameOf(reproduction), prettyJson(reproduction))
}

/** Writes the requests from one id in the journal to another as code. `base` is that of the instance that received them. */
export async function copyRequests(
  api: Api,
  base: string,
  kind: SnippetKind,
  [first, last]: readonly [number, number],
): Promise<string> {
  const reproduction = await load(api, base)
  const selected = findRequests(reproduction, first, last)
  if (selected.length === 0) throw new ApiFailure('NOT_RECORDED', 'The mock no longer has this request.')
  return toSnippet(kind, reproduction, selected, { base })
}

const load = (api: Api, base: string) => api.adminAt<Reproduction>(base, 'GET', '/reproduction')

/** Ids restart when the journal is cleared, so that the last request with an id is the one that is shown. */
function findRequests({ steps }: Reproduction, first: number, last: number): RecordedExchange[] {
  const exchanges = steps.filter((step) => 'request' in step)
  const shown = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  return exchanges.filter(
    (each) => each.id !== undefined && each.id >= first && each.id <= last && shown.get(each.id) === each,
  )
}

function fileNameOf({ sandbox = 'petstore', createdAt }: Reproduction): string {
  return `${sandbox}-${createdAt.slice(0, 19).replaceAll(':', '-')}.petstore.json`
}
