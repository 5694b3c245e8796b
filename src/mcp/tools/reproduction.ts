import type { RecordedExchange, Reproduction } from '../../engine/log/reproduction.js'
import { MockError } from '../../http/errors.js'
import { SNIPPET_KINDS, type SnippetKind, type SnippetSettings, toSnippet } from '../../tools/snippets/index.js'
import { fitBody } from '../fit.js'
import { ADDS, type Tool, type ToolContext, type UserFiles } from '../tool.js'

interface Arguments {
  readonly file?: string
  readonly as?: SnippetKind
  readonly last?: number
}

const FILE = {
  type: 'string',
  minLength: 1,
  description:
    'The file to write, in the working directory, such as bug.petstore.json. It gets another name if it exists.',
}

/** Without a file system, the client downloads the reproduction. */
export const createSaveReproduction = ({ canWrite, source }: UserFiles): Tool => ({
  name: 'save_reproduction',
  description: [
    'Save all that happened since the last reset, so that "petstore-mock replay" repeats it,',
    'or write the last requests as code.',
    canWrite ? '' : 'Download the reproduction from the url of the result.',
  ]
    .join(' ')
    .trim(),
  annotations: ADDS,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...(canWrite && { file: FILE }),
      as: { type: 'string', enum: SNIPPET_KINDS, description: 'Write the last requests as a test, or as commands.' },
      last: { type: 'integer', minimum: 1, description: 'With as: how many requests. Default is 1.' },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['url', 'requests'],
    additionalProperties: false,
    properties: {
      url: { type: 'string', description: 'Where the reproduction can be downloaded.' },
      requests: { type: 'integer', description: 'How many requests it has.' },
      file: { type: 'string', description: 'The file that was written.' },
      body: { type: 'string', description: 'The code.' },
      leftOut: { type: 'integer', description: 'How many characters of the code are missing here.' },
    },
  },
  async call({ mock, saveReproduction }: ToolContext, { file, as, last }: Arguments) {
    if (as === undefined && last !== undefined) throw new MockError('INVALID_REQUEST', '/last requires /as.')
    const reproduction: Reproduction = await mock.send('getReproduction')
    const exchanges = reproduction.steps.filter((step) => 'request' in step)
    const written = file !== undefined && saveReproduction?.(file, reproduction)
    return {
      url: `${mock.baseUrl}/__admin/reproduction`,
      requests: exchanges.length,
      ...(written && { file: written }),
      ...(as && fitBody(toCode(as, reproduction, exchanges.slice(-(last ?? 1)), { base: mock.baseUrl, source }), null)),
    }
  },
})

function toCode(
  kind: SnippetKind,
  reproduction: Reproduction,
  selected: readonly RecordedExchange[],
  settings: SnippetSettings,
): string {
  if (selected.length === 0) throw new MockError('INVALID_REQUEST', 'No requests were recorded.')
  return toSnippet(kind, reproduction, selected, settings)
}
