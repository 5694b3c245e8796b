/**
 * Which servers remember what a client creates, for any OpenAPI documents: `npm run bench:documents -- openapi.yaml …`. For
 * each collection that has an operation to create and one to read a record, it creates two records, and reads both.
 */
import { basename, resolve } from 'node:path'
import { readDocument } from '../src/document/load/read-document.js'
import { type Candidate, createStartingData, PETSTORE_DOCUMENT } from './candidates.js'
import { resourceMeasures } from './document-client.js'
import { installPeers, reportMissing } from './peers/install.js'
import { peers } from './peers/list.js'
import { builtCommand, type Command, start } from './processes.js'
import { printTitle } from './table.js'

/** What was counted in one document, or in all. */
interface Counts {
  resources: number
  created: number
  remembered: number
}

interface Server {
  readonly name: string
  command(document: string): Command
}

const files = process.argv.slice(2).map((file) => resolve(file))
if (files.length === 0) {
  console.error('Usage: npm run bench:documents -- <OpenAPI document> …')
  process.exit(2)
}

const ours: Server = {
  name: 'petstore-mock',
  command: (document) => ({ args: [builtCommand, '--document', document, '--port', '{port}', '--quiet'] }),
}
const others = await installPeers(
  createStartingData(),
  peers.filter(({ name }) => ['Prism, log off', 'Scalar mock server'].includes(name)),
)
const servers: readonly Server[] = [ours, ...others.map(toServer)]

const header = ['Document', 'Resources', ...servers.map(({ name }) => name)]
const rows: string[][] = []
const totals = servers.map((): Counts => ({ resources: 0, created: 0, remembered: 0 }))
for (const file of files) {
  const document = await readDocument(file)
  const counts: Counts[] = []
  for (const server of servers) counts.push(await measure(server, file, document))
  counts.forEach((each, index) => {
    add(totals[index], each)
  })
  const { resources = 0 } = counts[0] ?? {}
  rows.push([nameOf(document, file), String(resources), ...counts.map(({ remembered }) => String(remembered))])
}
printTitle('Resources that remember what was created', 'resources: those with an operation to create and one to read')
const [{ resources } = { resources: 0 }] = totals
printMarkdown([
  header,
  ['---', ...header.slice(1).map(() => '--:')],
  ...rows,
  ['All, created', String(resources), ...totals.map(({ created }) => String(created))],
  ['All, came back', String(resources), ...totals.map(({ remembered }) => String(remembered))],
])

async function measure(server: Server, file: string, document: object): Promise<Counts> {
  const counts: Counts = { resources: 0, created: 0, remembered: 0 }
  try {
    const running = await start({ ...server.command(file), isReadyWhenItAccepts: true })
    for await (const outcome of resourceMeasures(document, `http://127.0.0.1:${running.port}`)) {
      counts.resources += 1
      if (outcome !== 'not created') counts.created += 1
      if (outcome === 'remembered') counts.remembered += 1
    }
    await running.stop()
  } catch (error) {
    reportMissing(`${server.name} with ${basename(file)}`, error)
  }
  return counts
}

/** Starts the server with another document. */
function toServer({ name, command }: Candidate): Server {
  return {
    name,
    command(document) {
      const { args, ...others } = command()
      return { ...others, args: args.map((argument) => (argument === PETSTORE_DOCUMENT ? document : argument)) }
    },
  }
}

function add(total: Counts | undefined, { resources, created, remembered }: Counts): void {
  if (total === undefined) return
  total.resources += resources
  total.created += created
  total.remembered += remembered
}

/** The title and the version of the document, or its file's name. */
function nameOf(document: object, file: string): string {
  const { title, version } = (document as { info?: { title?: string; version?: string } }).info ?? {}
  return title ? `${title} ${version ?? ''}`.trim() : basename(file)
}

/** A table to copy into the pages that show the figures. */
function printMarkdown(lines: readonly (readonly string[])[]): void {
  for (const cells of lines) console.log(`| ${cells.join(' | ')} |`)
}
