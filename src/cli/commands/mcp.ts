import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { FileError } from '../../document/load/file-error.js'
import type { Reproduction } from '../../engine/log/reproduction.js'
import {
  createSandboxName,
  createServiceTools,
  describeService,
  fetchService,
  inProcess,
  type KnownService,
  type MockAddress,
  removeSandbox,
} from '../../mcp/session.js'
import { serveStdio } from '../../mcp/stdio.js'
import { pathInCode } from '../choose-service.js'
import { findFreeName, fitReproduction, writeOutputFile } from '../files.js'
import { type Io, printableLines } from '../io.js'
import type { McpSettings } from '../settings.js'
import { serve } from './serve.js'

/** Serves a client of the Model Context Protocol over standard input and output, until the input ends. */
export async function mcp({ url, token, ...settings }: McpSettings, env: NodeJS.ProcessEnv, io: Io): Promise<void> {
  const sandbox = createSandboxName()
  if (url !== undefined) {
    await connect({ url, sandbox, ...(token !== undefined && { token }) }, io)
    return
  }
  // Standard output is for messages of the protocol only.
  await serve(
    { port: 0, ...settings },
    env,
    { ...io, stdout: io.stderr },
    {
      sandbox,
      options: { sandboxIdleMs: NEVER_IDLE },
      async use({ url: base }, mock, stop, { service, file }) {
        mock.sandboxes.open(sandbox)
        await speak(inProcess(base, mock, sandbox), await describeService(service), io, stop, file)
      },
    },
  )
}

/** The session lasts as long as the mock, and its user may be away for hours. */
const NEVER_IDLE = Number.MAX_SAFE_INTEGER

async function connect(address: MockAddress, io: Io): Promise<void> {
  try {
    await speak(address, await fetchService(address), io, io.catchSignals())
  } finally {
    await removeSandbox(address)
  }
}

/** `file` is the document or service file, if it is known. */
function speak(address: MockAddress, service: KnownService, io: Io, signal: AbortSignal, file?: string): Promise<void> {
  return serveStdio({
    address,
    tools: createServiceTools(service, { canWrite: true, source: pathInCode(file, io.cwd()) }),
    signal,
    input: io.stdin,
    output: io.stdout,
    saveReproduction: (file, reproduction) => save(file, reproduction, io),
    onProblem: (problem) => void io.stderr.write(`petstore-mock: ${printableLines(problem)}\n`),
  })
}

/** Only in the working directory, and never over another file: the client need not have asked its user. */
function save(file: string, reproduction: Reproduction, io: Io): string {
  const path = resolve(io.cwd(), file)
  // A link may lead out of it.
  const folder = existsSync(dirname(path)) ? relative(realpathSync(io.cwd()), realpathSync(dirname(path))) : ''
  const isOutside = [folder, relative(io.cwd(), path)].some(
    (inside) => inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside),
  )
  if (isOutside || path === resolve(io.cwd())) {
    throw new FileError(file, ['The file must be in the working directory.'])
  }
  const written = findFreeName(path)
  writeOutputFile(written, fitReproduction(reproduction).text, false)
  return relative(io.cwd(), written)
}
