import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { type DocumentedService, readAdminDocument } from '../engine/admin/documents.js'
import { version } from '../generated/lib/version.js'
import { describeUnknown, MockError } from '../http/errors.js'
import { stringifyJson } from '../lib/json.js'
import type { AdminSender } from '../tools/client/admin-sender.js'
import { createAdminSender, unlessMissing } from '../tools/client/admin-sender.js'
import type { ConnectOptions } from '../tools/client/types.js'
import { readAdminSchemas } from './admin-schemas.js'
import type { ServiceDocument } from './service-document.js'
import type { SaveReproduction, ToolContext, UserFiles } from './tool.js'
import { createToolbox, type Toolbox } from './toolbox.js'

const NAME = 'test-client'

const PROMPTS = [
  {
    name: NAME,
    title: 'Write tests for my client of this service',
    description: 'Write tests for code that calls the service, with failures, and find its bugs.',
    arguments: [
      { name: 'code', description: 'The file of the client.' },
      { name: 'runner', description: 'The test runner. Default is the one that the project has.' },
    ],
  },
] as const

interface PromptRequest {
  readonly name: string
  readonly arguments?: Readonly<Record<string, string>> | undefined
}

function findPrompt({ name, arguments: args = {} }: PromptRequest, mock: { title: string; baseUrl: string }) {
  if (name !== NAME) throw new MockError('INVALID_REQUEST', describeUnknown('prompt', name, [NAME]))
  const { code = 'my client', runner = 'the test runner of the project' } = args
  const text = [
    `Write tests with ${runner} for ${code}, which calls ${mock.title}. Run it against the mock at ${mock.baseUrl}.`,
    '',
    '1. Read the client, and call describe_service for the operations that it uses.',
    '2. For each of them, arrange data with change_data, run the client, and compare what requests shows with what the',
    '   operation expects. A request with violations is a bug of the client.',
    '3. Test what happens when the service fails: simulate errors, delays, broken connections and invalid responses.',
    '4. Test dates by moving the clock, and call reset before each test.',
    '5. For each bug, call save_reproduction, and say what the client did and what it should do.',
  ].join('\n')
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}

const JSON_TYPE = { mimeType: 'application/json' }

const DOCUMENT = 'mock://openapi.json'
const FIXTURE_SCHEMA = 'mock://fixture.schema.json'
const STATE = 'mock://state.json'

const RESOURCES = [
  { uri: DOCUMENT, name: 'openapi', title: 'The OpenAPI document of the service', ...JSON_TYPE },
  { uri: FIXTURE_SCHEMA, name: 'fixture-schema', title: 'The schema of fixtures, for reset', ...JSON_TYPE },
  { uri: STATE, name: 'state', title: 'All data of the mock, in the format of fixtures', ...JSON_TYPE },
] as const

interface Documents extends Pick<ToolContext, 'loadDocument'> {
  readFixtureSchema(): object
}

async function readResource(mock: AdminSender, uri: string, { loadDocument, readFixtureSchema }: Documents) {
  const read: Readonly<Record<string, () => unknown>> = {
    [DOCUMENT]: loadDocument,
    [FIXTURE_SCHEMA]: readFixtureSchema,
    [STATE]: () => mock.send('getState'),
  }
  if (!Object.hasOwn(read, uri)) {
    throw new MockError('INVALID_REQUEST', `Unknown resource. Known: ${Object.keys(read).join(', ')}.`)
  }
  return { contents: [{ uri, ...JSON_TYPE, text: stringifyJson(await read[uri]?.()) ?? '' }] }
}

/** Where the mock of a session is. */
export interface MockAddress extends ConnectOptions {
  readonly url: string
}

/** What is known of a service before a session. */
export interface KnownService {
  readonly title: string
  /** The document of the admin API. */
  readonly admin: object
  loadDocument(): Promise<ServiceDocument>
}

/** The service of a mock in this process. */
export async function describeService(service: DocumentedService): Promise<KnownService> {
  return {
    title: service.title,
    // Without the complete document of the service, which takes time to load.
    admin: await readAdminDocument(service),
    loadDocument: async () => ((await service.loadDocument?.()) ?? service).document as ServiceDocument,
  }
}

/** The service of a running mock. */
export async function fetchService(address: MockAddress): Promise<KnownService> {
  const mock = openMock(address)
  const [{ title }, admin] = await Promise.all([mock.send('getHealth'), mock.send('getAdminJson')])
  return {
    title,
    admin,
    loadDocument: async () => (await mock.fetchApi('/openapi.json')).json() as Promise<ServiceDocument>,
  }
}

/** What all sessions with a service have in common. */
export interface ServiceTools extends Pick<KnownService, 'title' | 'loadDocument'> {
  readonly toolbox: Toolbox
  readonly readFixtureSchema: () => object
}

export function createServiceTools(
  { title, admin, loadDocument }: KnownService,
  files: UserFiles = { canWrite: false },
): ServiceTools {
  const schemas = readAdminSchemas(admin)
  return {
    title,
    loadDocument,
    toolbox: createToolbox(schemas, files),
    readFixtureSchema: () => schemas('StateToImport'),
  }
}

/** A server of the protocol for one client, which is not connected yet. */
export function createSession(
  address: MockAddress,
  { title, loadDocument, toolbox, readFixtureSchema }: ServiceTools,
  saveReproduction?: SaveReproduction,
): Server {
  const { baseUrl } = openMock(address)
  const server = new Server(
    { name: 'petstore-mock', title: `Mock of ${title}`, version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: toInstructions(title, baseUrl),
      // Only for questions to the user, which the mock does not have. The default would load another Ajv.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'unsupported' }),
      },
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...toolbox.tools] }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }, { signal }) => ({
    ...(await toolbox.call({ mock: openMock(address, signal), loadDocument, saveReproduction }, name, args)),
  }))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...RESOURCES] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    readResource(openMock(address, signal), params.uri, { loadDocument, readFixtureSchema }),
  )
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [...PROMPTS] }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => findPrompt(params, { title, baseUrl }))
  return server
}

/** The address of a mock in this process, which is called without a connection. */
export function inProcess(url: string, mock: CalledMock, sandbox?: string): MockAddress {
  return {
    url,
    ...(sandbox !== undefined && { sandbox }),
    fetch: (address, init) => mock.fetch(address.slice(url.length), init),
  }
}

interface CalledMock {
  fetch(path: string, init: RequestInit): Promise<Response>
}

export async function removeSandbox({ sandbox, ...root }: MockAddress): Promise<void> {
  if (sandbox === undefined) return
  await unlessMissing('SANDBOX_NOT_FOUND', openMock(root).send('deleteSandbox', { path: { name: sandbox } }))
}

/** Nobody has to type it. */
export function createSandboxName(): string {
  return `mcp-${crypto.randomUUID().slice(-12)}`
}

function openMock({ url, fetch = globalThis.fetch, ...options }: MockAddress, signal?: AbortSignal) {
  const send: typeof fetch = (address, init) => {
    const signals = [signal, init.signal].filter((each) => each !== undefined && each !== null)
    return fetch(address, signals.length === 0 ? init : { ...init, signal: AbortSignal.any(signals) })
  }
  return createAdminSender(url, { ...options, fetch: send })
}

function toInstructions(title: string, baseUrl: string): string {
  return [
    `A mock of ${title} for this session alone: its data, failures, clock and recorded requests are yours to change.`,
    `Base URL for the code under test: ${baseUrl}`,
    'Start with describe_service. Arrange data with change_data or reset, run the code against the base URL, then read',
    'requests to see what it sent and got. simulate makes requests fail. save_reproduction keeps what happened.',
  ].join('\n')
}
