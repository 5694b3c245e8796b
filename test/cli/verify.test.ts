import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { openapi } from '../../src/petstore/served-documents.js'
import type { Report } from '../../src/verify/report.js'
import { verifyService } from '../../src/verify/verify.js'
import {
  type Alteration,
  all,
  alterResponse,
  errorField,
  field,
  header,
  status,
  toBody,
} from '../support/alter-responses.js'
import { endCommands, runCommand, startCommand } from '../support/command.js'
import { openServer } from '../support/raw-connection.js'
import { parseXml } from '../support/xml.js'

vi.setConfig({ testTimeout: 120_000 })
afterEach(endCommands)

/** Stands in front of a service and spoils its answers. */
async function openProxy(target: string, spoil: Alteration, onRequest: (request: IncomingMessage) => void = () => {}) {
  const server = createServer(async (request, response) => {
    onRequest(request)
    const { method = '', url = '' } = request
    const body = await buffer(request)
    const { host, connection, 'content-length': length, 'transfer-encoding': coding, ...headers } = request.headers
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: headers as Record<string, string>,
      redirect: 'manual',
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    })
    const passed = alterResponse(method, url, answer, await answer.text(), spoil)
    for (const name of ['connection', 'keep-alive', 'transfer-encoding']) passed.headers.delete(name)
    response.writeHead(passed.status, Object.fromEntries(passed.headers))
    response.end(toBody(passed) ?? undefined)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** As the command does it, without the time it takes to start one. */
function verify(baseUrl: string): Promise<Report> {
  return verifyService({ baseUrl, fetch, readOnly: false, headers: [], timeoutMs: 10_000 })
}

const elsewhere: Alteration = ({ headers }) => {
  if (headers.has('Location')) headers.set('Location', '/elsewhere')
}

function differencesOf({ groups }: Report): string[] {
  const operations = groups.flatMap((group) => group.operations)
  return operations.flatMap(({ operation, differences }) => differences.map(({ aspect }) => `${operation} ${aspect}`))
}

describe('verify', () => {
  it('finds no difference in the mock itself, says so in a few lines, and leaves hardly a trace', async () => {
    const server = await openServer({ scenario: 'single' })
    const { code, stdout, stderr } = await runCommand(['verify', `${server.url}/`])
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' })
    const [title, , pets, store, , left, summary] = stdout.trimEnd().split('\n')
    expect(title).toBe(`petstore-mock verify ${server.url}`)
    expect(pets).toMatch(/^✓ Pets +10 operations, \d+ checks$/)
    expect(store).toMatch(/^✓ Store +8 operations, \d+ checks$/)
    expect(left).toMatch(/^Left behind: order \d+ \(DELETE: 409\), order \d+ \(DELETE: 409\);/)
    expect(summary).toMatch(/^1\d\d passed, 0 failed, 0 skipped$/)
    expect(server.petstore.data.pets.all()).toHaveLength(1)
    expect(server.petstore.data.categories.all()).toHaveLength(1)
  })

  it('keeps to a base address with a path', async () => {
    const server = await openServer()
    const report = await verify(`${server.url}/sandbox/a`)
    expect(differencesOf(report)).toStrictEqual([])
    expect(report).toMatchObject({ baseUrl: `${server.url}/sandbox/a`, skipped: 0 })
    // Nothing of it happened outside.
    expect(server.petstore.journal.entries()).toStrictEqual([])
  })

  it('reads only where it is told to, and sends the headers it is given', async () => {
    const server = await openServer()
    const asked = new Map<string, unknown>()
    const watch = ({ method = '', headers }: IncomingMessage) => void asked.set(method, headers.authorization)
    const url = await openProxy(server.url, () => {}, watch)
    const args = ['verify', url, '--header', 'Authorization: Bearer secret', '--header', 'X-Other: 1']
    const { code, stdout, stderr } = await runCommand(args, { PETSTORE_READ_ONLY: 'true' })
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' })
    expect([...asked].sort()).toStrictEqual(['GET', 'HEAD', 'OPTIONS'].map((method) => [method, 'Bearer secret']))
    expect(stdout).not.toContain('secret')
    expect(stdout).toMatch(/^ {2}- createPet +\d+ skipped: it would change data$/m)
    expect(stdout).toMatch(/\n\d+ passed, 0 failed, [1-9]\d+ skipped\n$/)
  })

  it('tells exactly what a service does otherwise, for programs', async () => {
    const server = await openServer()
    const spoils = {
      'listPets body /*/name': field('listPets', 'name'),
      'createPet status 201→200': status('createPet', 201, 200),
      'getPet header Sunset': header('getPet', 'Sunset'),
    }
    const url = await openProxy(server.url, all(...Object.values(spoils)))
    const { code, stdout, stderr } = await runCommand(['verify', url, '--format', 'json'])
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: '' })
    const report = JSON.parse(stdout) as Report
    expect(differencesOf(report)).toStrictEqual(Object.keys(spoils))
    expect(report).toMatchObject({ baseUrl: url, differences: 3, skipped: 0 })
    // What it made is gone again, differences or not.
    expect(server.petstore.data.pets.all()).toHaveLength(72)
    expect(server.petstore.data.categories.all()).toHaveLength(10)
  })

  it.each<[string, Record<string, Alteration>]>([
    [
      'a refusal, a stability and the inventory',
      {
        'updatePet header X-Stability': header('updatePet', 'X-Stability', 'stable'),
        'getOrder status 404→400': status('getOrder', 404, 400),
        'listInventory body /*/status': field('listInventory', 'status'),
        'getInventory body /status': field('getInventory', 'status'),
        'updateInventory body /status': field('updateInventory', 'status'),
      },
    ],
    [
      'locations and a code',
      {
        'createPet header Location': elsewhere,
        'createCategory header Location': elsewhere,
        'createOrder header Location': elsewhere,
        'createOrder error body /code': errorField('createOrder', 'code', 'NO'),
      },
    ],
  ])('tells exactly what a service does otherwise: %s', async (_, spoils) => {
    const server = await openServer()
    const report = await verify(await openProxy(server.url, all(...Object.values(spoils))))
    expect(differencesOf(report)).toStrictEqual(Object.keys(spoils))
    expect(report).toMatchObject({ differences: Object.keys(spoils).length, skipped: 0 })
  })

  it('tells it to people with what was sent, expected and received', async () => {
    const server = await openServer()
    const url = await openProxy(server.url, status('getOrder', 404, 400))
    const { code, stdout } = await runCommand(['verify', url])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^✓ Pets +10 operations, \d+ checks$/m)
    expect(stdout).toMatch(/^ {2}✗ getOrder +\d+ passed, [1-9] failed$/m)
    expect(stdout).toMatch(
      /^ {6}status 404→400 \(in \d+ checks\)\n {8}sent {5}GET \/store\/orders\/\d+\n {8}expected 404 ORDER_NOT_FOUND\n {8}received 400 ORDER_NOT_FOUND$/m,
    )
    expect(stdout).toMatch(/\n\d+ passed, [1-9] failed, 0 skipped: 1 difference\n$/)
  })

  it('writes well-formed JUnit XML, whatever the service answers', async () => {
    const server = await openServer()
    const hostile = `"<&'>]]>\u0000\u001b[2J\ud800`
    const url = await openProxy(
      server.url,
      all(
        field('getPet', 'name', () => hostile),
        errorField('getPet', 'code', hostile),
      ),
    )
    const { code, stdout } = await runCommand(['verify', url, '--format', 'junit'])
    expect(code).toBe(1)
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u)
    const failures = [...parseXml(stdout).querySelectorAll('failure')]
    expect(failures.map(({ parentElement }) => parentElement?.getAttribute('classname'))).toContain('Pets.getPet')
    const aspects = failures.map((failure) => failure.getAttribute('message')?.split(': expected')[0])
    expect(new Set(aspects)).toStrictEqual(new Set(['body /name', 'error body /code']))
  })

  it('says in one line that nobody answers, or not in time', async () => {
    const [silent, closed] = [createServer(() => {}), createServer()]
    for (const server of [silent, closed]) {
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    }
    onTestFinished(() => silent.closeAllConnections())
    onTestFinished(() => void silent.close())
    const urlOf = (server: typeof silent) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [silentUrl, closedUrl] = [urlOf(silent), urlOf(closed)]
    await new Promise((resolve) => closed.close(resolve))
    const [refused, late] = await Promise.all([
      runCommand(['verify', closedUrl, '--format', 'json']),
      runCommand(['verify', silentUrl, '--timeout', '50']),
    ])
    const sentence = (url: string, why: string) => `petstore-mock: ${url} does not answer: ${why}\n`
    const failed = { code: 1, stdout: '' }
    expect(refused).toMatchObject({ ...failed, stderr: sentence(closedUrl, 'the connection was refused') })
    expect(late).toMatchObject({ ...failed, stderr: sentence(silentUrl, 'nothing within 50 ms') })
  })

  it('says in one line that what answers is no pet store', async () => {
    const files = createServer((_request, response) =>
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>'),
    )
    await new Promise<void>((resolve) => void files.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void files.close())
    const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
    const { code, stdout, stderr } = await runCommand(['verify', url, '--format', 'junit'])
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^petstore-mock: http:\S+ does not look like a pet store: GET \/pets, [^\n]+ answer 404 with text\/html; is the base address right[^\n…]+\n$/,
    )
  })

  it('removes what it made when it is interrupted', async () => {
    const server = await openServer({ scenario: 'empty' })
    let interrupt = (): void => {}
    const url = await openProxy(server.url, ({ operation }) => {
      if (operation === 'updateOrder') interrupt()
    })
    const command = startCommand(['verify', url])
    interrupt = () => {
      // A second one would end it at once.
      interrupt = () => {}
      command.kill('SIGINT')
    }
    const { code, stdout, stderr } = await command.ended()
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('the run was stopped')
    expect(server.petstore.data.pets.all()).toStrictEqual([])
    expect(server.petstore.data.categories.all()).toStrictEqual([])
  })
})

it('prints the document of the service, as YAML or as JSON', async () => {
  const [yaml, json] = await Promise.all([runCommand(['spec']), runCommand(['spec', '--format', 'json'])])
  expect(yaml).toMatchObject({ code: 0, stderr: '', stdout: openapi.yaml })
  expect(json).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(json.stdout)).toStrictEqual(parse(yaml.stdout))
})
