import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { makeFolder, writeIn } from '../support/certificates.js'
import { COMMAND_FILE } from '../support/command.js'
import { testedBlocks } from '../support/docs-blocks.js'
import { connectClient, connectOverStdio } from '../support/mcp.js'

const blocks = testedBlocks('docs/mcp.md', 'test/mcp/conversation.test.ts')
const blockOf = (wanted: string) => blocks.find(({ language }) => language === wanted)?.code ?? ''

const run = promisify(execFile)

it('the conversation of docs/mcp.md finds the bug, and saves a reproduction that replay repeats', async () => {
  const folder = makeFolder()
  writeIn(folder, 'reserve.mjs', blockOf('js'))
  const { call, baseUrl } = await connectOverStdio([], folder)

  async function act(line: string): Promise<string> {
    const [, kind, rest = ''] = /^([>$]) (.+)$/.exec(line) ?? []
    if (kind === '>') {
      const [, name = '', args] = /^(\w+) ?(.*)$/.exec(rest) ?? []
      return JSON.stringify(await call(name, JSON.parse(args || '{}')))
    }
    const command = rest.replace('npx petstore-mock', `"${process.execPath}" "${COMMAND_FILE}"`)
    const env = { ...process.env, BASE_URL: baseUrl }
    const { stdout } = await run('sh', ['-c', command], { cwd: folder, env })
    return stdout.trimEnd()
  }

  let shown = ''
  const expected = blockOf('text')
  for (const line of expected.split('\n').filter((each) => /^[>$] /.test(each)))
    shown += `${line}\n${await act(line)}\n`
  const pattern = expected
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*?')
  if (!new RegExp(`^${pattern}$`).test(shown)) expect(shown).toBe(expected)
})

it('the configuration of docs/mcp.md starts the command', async () => {
  const { command, args } = JSON.parse(blockOf('json')).mcpServers.petstore
  expect([command, ...args.slice(0, 2)]).toEqual(['npx', '-y', 'petstore-mock'])
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND_FILE, ...args.slice(2)],
    stderr: 'ignore',
  })
  const { client } = await connectClient(transport)
  expect((await client.listTools()).tools.length).toBeGreaterThan(0)
})
