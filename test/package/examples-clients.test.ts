import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runQuietly, setUpExample, startInExample } from '../support/examples.js'
import { root } from '../support/packed.js'
import { hasPrograms } from '../support/programs.js'

const hasPython = hasPrograms(['python3'], 'CI_PYTHON')

it.skipIf(!hasPython)('runs the example for Python', async () => {
  const project = await setUpExample('python')
  expect(await runQuietly(project, ['test'])).toMatch(/^Ran 8 tests in .*\n\nOK$/m)
})

const hasCurl = hasPrograms(['bash', 'curl'], 'CI_CURL')

/** The output of the walkthrough, with the URL of this server. */
async function readWalkthrough(address: string): Promise<string> {
  const output = await readFile(join(root, 'examples/curl/output.txt'), 'utf8')
  return output.replace('http://127.0.0.1:4010', address)
}

it.skipIf(!hasCurl)('runs the walkthrough with curl, with the documented output', async () => {
  const project = await setUpExample('curl')

  const output = await runQuietly(project, ['start', '--silent'])
  const address = /^SERVER=(http:\S+)$/m.exec(output)?.[1] ?? 'no address'
  expect(output).toContain(await readWalkthrough(address))

  const server = startInExample(project, 'node_modules/.bin/petstore-mock', ['--port', '0', '--sunset', 'enforce'])
  onTestFinished(() => server.end())
  const [, other = ''] = await server.printed(/API +(\S+)/)
  expect(await runQuietly(project, ['start', '--silent', '--', other])).toContain(await readWalkthrough(other))
})
