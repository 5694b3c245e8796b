import { readFileSync } from 'node:fs'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Installed, installPacked } from '../support/installed.js'
import { root } from '../support/packed.js'

let installed: Installed
/** What the adapter for Node prints while msw is not installed. */
let withoutMsw: string

beforeAll(async () => {
  installed = await installPacked()
  withoutMsw = await installed.runScript(
    "console.log(await import('petstore-mock/node').catch((error) => error.name + ': ' + error.message))",
  )
  // The packages of this project, so that nothing is downloaded.
  for (const peer of ['msw', 'vitest', 'jsdom']) {
    await symlink(join(root, 'node_modules', peer), join(installed.folder, 'node_modules', peer))
  }
})

const RECORD = pathToFileURL(join(root, 'test/package/record-loads.mjs')).href

/** The files that Node loads for a script, from this package and others. */
async function loadedBy(source: string): Promise<string[]> {
  const list = join(installed.folder, 'loaded.txt')
  await writeFile(list, '')
  await installed.runScript(source, ['--import', RECORD], { LOADED: list, XDG_CACHE_HOME: installed.folder })
  const urls = (await readFile(list, 'utf8')).trim().split('\n')
  // The hook may be called more than once for a module.
  return [...new Set(urls)].filter((url) => url.startsWith('file:'))
}

const isOfMsw = (url: string) => /\/node_modules\/msw\//.test(url)
/** faker is bundled, and recognizable by its name in the code. */
const holdsFaker = (url: string) => readFileSync(fileURLToPath(url), 'utf8').includes('@faker-js/faker')

const IN_MEMORY = "import { createPetstore } from 'petstore-mock'"
const LIST = "const response = await petstore.fetch('/pets'); if (response.status !== 200) process.exit(1)"

it('says in one sentence that msw is missing', () => {
  expect(withoutMsw).toBe(
    'MockError: petstore-mock needs msw to intercept requests, and it is not installed. Run: npm install --save-dev msw',
  )
})

describe('an adapter loads only what it uses', () => {
  it.each([
    ['in memory', `${IN_MEMORY}; const petstore = createPetstore(); ${LIST}`],
    ['with another scenario', `${IN_MEMORY}; const petstore = createPetstore({ scenario: 'busy' }); ${LIST}`],
    [
      'on a port',
      `import { startServer } from 'petstore-mock/server'
       const server = await startServer({ port: 0 })
       for (const path of ['/pets', '/__admin/health', '/__admin/', '/docs']) await fetch(server.url + path)
       await server.close()`,
    ],
    ['as a reporter', "import 'petstore-mock/vitest/reporter'"],
  ])('without msw and faker: %s', async (_, source) => {
    const loaded = await loadedBy(source)
    expect(loaded.some((url) => url.includes('/petstore-mock/dist/'))).toBe(true)
    expect(loaded.filter(isOfMsw)).toStrictEqual([])
    expect(loaded.filter(holdsFaker)).toStrictEqual([])
  })

  it('HTTP/2 and certificates only with https', async () => {
    const serve = (options: string) =>
      loadedBy(`
        import { startServer } from 'petstore-mock/server'
        const server = await startServer(${options})
        await fetch(\`http://localhost:\${server.port}/pets\`)
        await server.close()`)
    const isOfTls = (url: string) => /\/chunks\/(?:tls|make-certificate)-/.test(url)
    const usesHttp2 = (url: string) => readFileSync(fileURLToPath(url), 'utf8').includes('node:http2')

    const plain = await serve('{ port: 0 }')
    expect(plain.filter(isOfTls)).toStrictEqual([])
    expect(plain.filter(usesHttp2)).toStrictEqual([])
    const encrypted = await serve('{ port: 0, https: true }')
    expect(encrypted.filter(isOfTls)).toHaveLength(2)
    expect(encrypted.filter(usesHttp2)).toHaveLength(1)
  })

  it('msw for interception, faker for generated data', async () => {
    const node = await loadedBy(`
      import { setupPetstore } from 'petstore-mock/node'
      const petstore = setupPetstore({ baseUrl: 'http://pets.test' })
      petstore.listen()
      const response = await fetch('http://pets.test/pets')
      if (response.status !== 200) process.exit(1)
      petstore.close()
    `)
    expect(node.filter(isOfMsw)).not.toStrictEqual([])
    expect(node.filter(holdsFaker)).toStrictEqual([])
    const generated = await loadedBy(`${IN_MEMORY}; const petstore = createPetstore({ seed: 7 }); ${LIST}`)
    expect(generated.filter(holdsFaker)).toStrictEqual([expect.stringContaining('/petstore-mock/dist/chunks/')])
  })
})

it('lets a process with jsdom end', async () => {
  const printed = await installed.runScript(`
    import { JSDOM } from 'jsdom'
    import { setupPetstore } from 'petstore-mock/node'

    const { window } = new JSDOM('', { url: 'http://localhost:3000/' })
    for (const name of Object.getOwnPropertyNames(window)) {
      if (name in globalThis) continue
      Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true })
    }
    const petstore = setupPetstore({ baseUrl: '/api' })
    petstore.listen()
    const fetched = await fetch('http://localhost:3000/api/pets/1')
    const request = new XMLHttpRequest()
    request.open('GET', '/api/pets/1')
    await new Promise((resolve) => {
      request.onloadend = resolve
      request.send()
    })
    petstore.close()
    console.log(JSON.stringify([fetched.status, request.status]))
  `)
  expect(JSON.parse(printed)).toEqual([200, 200])
})

it('the browser adapter is bundled for a page, with the msw of the page and a separate chunk for faker', async () => {
  const { folder } = installed
  const { metafile, warnings } = await build({
    stdin: {
      contents: "import { setupPetstore } from 'petstore-mock/browser'; setupPetstore({ baseUrl: '/api' }).start()",
      resolveDir: folder,
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    outdir: join(folder, 'bundled'),
    metafile: true,
    logLevel: 'silent',
  })
  expect(warnings).toStrictEqual([])
  const { outputs } = metafile
  const entry = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === '<stdin>') ?? ''
  const loaded = new Set([entry])
  for (const name of loaded) {
    for (const { path, kind } of outputs[name]?.imports ?? []) if (kind === 'import-statement') loaded.add(path)
  }
  const inputs = [...loaded].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}))
  expect(inputs.some((input) => input.includes('/msw/'))).toBe(true)
  const files = await readdir(join(folder, 'bundled'))
  const withFaker = files.filter((file) => holdsFaker(pathToFileURL(join(folder, 'bundled', file)).href))
  expect(withFaker).toHaveLength(1)
  expect(withFaker).not.toContain('stdin.js')
})
