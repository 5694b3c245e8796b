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
import { version } from '../lib/generated/version.js'
import { createAdminSender } from '../remote/client/admin-sender.js'
import type { ConnectOptions } from '../remote/client/types.js'
import { readAdminSchemas } from './admin-schemas.js'
import { findPrompt, PROMPTS } from './prompt.js'
import { RESOURCES, readResource } from './resources.js'
import type { ServiceDocument } from './service-document.js'
import type { SaveReproduction, UserFiles } from './tool.js'
import { createToolbox, type Toolbox } from './toolbox.js'

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
  const [health, admin] = await Promise.all([mock.send('GET', '/health'), mock.send('GET', '/openapi.json')])
  return {
    title: (health as { title: string }).title,
    admin: admin as object,
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
  if (sandbox !== undefined) await openMock(root).removeIfPresent(`/sandboxes/${sandbox}`)
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
