import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { runCommand } from '../support/command.js'

/** The files of a recording: requests to a mock in front of a service that has other data. */
async function record(): Promise<(name: string) => string> {
  const folder = mkdtempSync(join(tmpdir(), 'upstream-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const service = await startServer({ port: 0, scenario: 'edge-cases' })
  onTestFinished(() => service.close())
  const front = await startServer({ port: 0, upstream: service.url, pass: ['GET'] })
  onTestFinished(() => front.close())
  const headers = { Authorization: 'Bearer secret' }
  for (const path of ['/pets?limit=100', '/categories', '/store/inventory?limit=100', '/pets/99999']) {
    expect((await fetch(front.url + path, { headers })).status).toBeLessThan(500)
  }
  front.mock.faults.add({ operation: 'getPet', status: 503, times: 1 })
  expect((await fetch(`${front.url}/pets/1`)).status).toBe(503)
  const inFolder = (name: string) => join(folder, name)
  writeFileSync(inFolder('real.json'), JSON.stringify(front.mock.reproduction()))
  return inFolder
}

it('a recording becomes a fixture, with which a replay shows how faithful the mock is', async () => {
  const inFolder = await record()
  const [recording, fixture] = [inFolder('real.json'), inFolder('real.yaml')]
  expect(readFileSync(recording, 'utf8')).not.toContain('Bearer secret')

  const unlike = await runCommand(['replay', recording])
  expect(unlike.code).toBe(1)
  expect(unlike.stdout).toMatch(
    /Faithfulness: 25 % \(1 of 4 responses of the real service\)\n {2}1 GET \/pets\?limit=100: /,
  )

  const pulled = await runCommand(['pull', '--reproduction', recording, '--output', fixture])
  expect(pulled).toMatchObject({ code: 0, stderr: expect.stringMatching(/Wrote .* pets/) })

  const { code, stdout } = await runCommand(['replay', recording, '--fixtures', fixture])
  expect(stdout).toMatch(/Faithfulness: 100 % \(4 of 4 responses of the real service\)/)
  expect(code).toBe(0)
})

it('a recording without an upstream has nothing to pull', async () => {
  const inFolder = await record()
  const text = readFileSync(inFolder('real.json'), 'utf8')
  writeFileSync(inFolder('mock.json'), text.replaceAll('"outcome":"answered"', '"outcome":"fallback"'))
  const { code, stderr } = await runCommand(['pull', '--reproduction', inFolder('mock.json')])
  expect([code, stderr]).toEqual([1, expect.stringContaining('no response of the real service')])
})
