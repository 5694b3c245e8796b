import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPages } from '../../src/adapters/server/pages.js'
import type { PlainRequest } from '../../src/engine/contract/messages.js'
import { openServer } from '../support/raw-connection.js'

describe('the folder of the pages', () => {
  const ask = (path: string): PlainRequest => ({ method: 'GET', path, query: '', base: '', headers: {} })

  it('is read once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-pages-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const pages = createPages([pathToFileURL(`${folder}/`)])
    await writeFile(join(folder, 'reference.html'), 'first')
    const first = pages(ask('/docs'))
    await writeFile(join(folder, 'reference.html'), 'second')
    expect(first?.response.body).toBe('first')
    expect(pages(ask('/docs'))).toEqual(first)
  })

  it('may be missing: then it is said how it is made, and it is looked for again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-pages-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const pages = createPages([pathToFileURL(`${folder}/nowhere/`), pathToFileURL(`${folder}/`)])
    for (const path of [
      '/__admin/',
      '/__admin/assets/dashboard.js',
      '/docs',
      '/docs/assets/reference.css',
      '/docs/assets/swagger-ui.js',
    ]) {
      const handled = pages(ask(path))
      expect(handled).toMatchObject({ response: { status: 404 }, trace: { code: 'ROUTE_NOT_FOUND' } })
      expect(handled?.response.body).toContain('npm run build')
    }
    await writeFile(join(folder, 'reference.html'), 'there')
    expect(pages(ask('/docs'))?.response.body).toBe('there')
  })

  it('has nothing to do with what is asked of the pet store', () => {
    const pages = createPages([])
    for (const path of ['/pets', '/pets/1', '/openapi.yaml', '/__admin/health', '/sandbox/a/pets', '/sandbox', '*']) {
      expect(pages(ask(path))).toBeUndefined()
    }
  })
})

describe('the documents behind the reference', () => {
  it('are served as they are written: that of the control plane beside that of the service', async () => {
    const server = await openServer()
    for (const [path, file, title] of [
      ['/openapi', 'openapi', 'Pet Store Service'],
      ['/__admin/openapi', 'admin', 'Pet Store Mock Admin API'],
    ] as const) {
      const text = await readFile(new URL(`../../spec/${file}.yaml`, import.meta.url), 'utf8')
      const yaml = await server.fetch(`${path}.yaml`)
      expect([yaml.status, yaml.headers.get('content-type')]).toEqual([200, 'application/yaml'])
      expect(await yaml.text()).toBe(text)
      const json = await server.fetch(`/sandbox/a${path}.json`)
      expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(await json.json()).toMatchObject({ openapi: '3.0.3', info: { title } })
    }
  })
})
