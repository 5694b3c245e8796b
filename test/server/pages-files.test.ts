import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPages } from '../../src/adapters/server/pages.js'
import type { PlainRequest } from '../../src/http/messages.js'

describe('the files of the web pages', () => {
  const get = (path: string): PlainRequest => ({ method: 'GET', path, query: '', base: '', headers: {} })

  it('are read once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-pages-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const pages = createPages(undefined, [pathToFileURL(`${folder}/`)])
    await writeFile(join(folder, 'reference.html'), 'first')
    const first = pages(get('/docs'))
    await writeFile(join(folder, 'reference.html'), 'second')
    expect(String(first?.response.bytes)).toBe('first')
    // The same bytes for all responses, so that one that is not read takes no memory.
    expect(pages(get('/docs'))?.response.bytes).toBe(first?.response.bytes)
  })

  const only = (path: string) => ({ has: (other: string) => other === path, takesSandbox: () => false })

  it('do not take the place of a page of the service', () => {
    const html = { ...get('/'), headers: { accept: 'text/html' } }
    expect(createPages()(html)?.response).toMatchObject({ status: 302, headers: { Location: '/__admin/' } })
    expect(createPages(only('/'))(html)).toBeUndefined()
    expect(createPages(only('/docs'))(get('/docs'))).toBeUndefined()
  })

  it('may be missing: the error says how to build them, and they are looked for again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-pages-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const pages = createPages(undefined, [pathToFileURL(`${folder}/nowhere/`), pathToFileURL(`${folder}/`)])
    for (const path of [
      '/__admin/',
      '/__admin/assets/dashboard.js',
      '/docs',
      '/docs/assets/reference.css',
      '/docs/assets/swagger-ui.js',
    ]) {
      const response = pages(get(path))
      expect(response).toMatchObject({ response: { status: 404 }, trace: { code: 'ROUTE_NOT_FOUND' } })
      expect(response?.response.body).toContain('npm run build')
    }
    await writeFile(join(folder, 'reference.html'), 'there')
    expect(String(pages(get('/docs'))?.response.bytes)).toBe('there')
  })

  it('are not used for other requests', () => {
    const pages = createPages(undefined, [])
    for (const path of ['/pets', '/pets/1', '/openapi.yaml', '/__admin/health', '/sandbox/a/pets', '/sandbox', '*']) {
      expect(pages(get(path))).toBeUndefined()
    }
  })
})

it('the dashboard is at most 46 KB compressed', async () => {
  const files = ['dashboard.html', 'dashboard.css', 'dashboard.js'].map((name) => `../../dist/pages/${name}`)
  const contents = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url))))
  const sizes = contents.map((content) => gzipSync(content).length)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(46 * 1024)
})
