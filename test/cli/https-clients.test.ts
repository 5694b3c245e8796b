import { readFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { createTlsFetch } from '../support/adapter-tls.js'
import { endCommands } from '../support/command.js'
import { startHttps } from '../support/https-command.js'
import { hasPrograms, runProgram } from '../support/programs.js'

afterEach(endCommands)

const curl = (url: string, ...options: string[]) =>
  runProgram('curl', '-sS', '-o', '/dev/null', '-w', '%{http_code} %{http_version}', ...options, url)

it.skipIf(!hasPrograms(['curl'], 'CI_CURL'))('curl accepts the printed certificate, and no other', async () => {
  const [url, file] = await startHttps()
  expect(await curl(url, '--cacert', file, '--http1.1')).toBe('200 1.1')
  const supportsHttp2 = /^Features:.* HTTP2 /m.test(await runProgram('curl', '--version'))
  if (supportsHttp2) expect(await curl(url, '--cacert', file, '--http2')).toBe('200 2')
  await expect(curl(url)).rejects.toThrow('(60) SSL certificate problem')
})

const PYTHON = `
import ssl, sys, urllib.request
url, cafile = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
print(urllib.request.urlopen(url, context=ssl.create_default_context(cafile=cafile)).status)
`

it.skipIf(!hasPrograms(['python3'], 'CI_PYTHON'))('Python accepts the printed certificate, and no other', async () => {
  const [url, file] = await startHttps()
  expect(await runProgram('python3', '-c', PYTHON, url, file)).toBe('200')
  await expect(runProgram('python3', '-c', PYTHON, url)).rejects.toThrow('CERTIFICATE_VERIFY_FAILED')
})

it.each([
  ['HTTP/1.1', false],
  ['HTTP/2', true],
])('undici accepts the printed certificate, and no other, over %s', async (_, allowH2) => {
  const [url, file] = await startHttps()
  const [trusting, other] = [readFileSync(file, 'utf8'), undefined].map((ca) => createTlsFetch(ca, allowH2))
  expect((await trusting?.fetch(url))?.status).toBe(200)
  await expect(other?.fetch(url)).rejects.toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
  await Promise.all([trusting?.close(), other?.close()])
})
