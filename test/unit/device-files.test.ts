import { renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readPemFile } from '../../src/adapters/certificates.js'
import { readService } from '../../src/cli/choose-service.js'
import { fingerprint, watchFiles } from '../../src/cli/reload.js'
import { useFolder } from '../support/test-folder.js'

const { folder, createFile } = useFolder()

const DEVICE = '/dev/zero'

/** Puts a link to a device, or a file, in the place of another in one step. */
function replace(file: string, content: string | undefined): void {
  const next = `${file}.next`
  if (content === undefined) symlinkSync(DEVICE, next)
  else writeFileSync(next, content)
  renameSync(next, file)
}

describe.skipIf(process.platform === 'win32')('a device in the place of a file', () => {
  it('is not read as a document, as a service file or as a certificate', async () => {
    for (const name of ['a.json', 'a.yaml', 'a.mjs']) {
      const file = join(folder, name)
      replace(file, undefined)
      await expect(readService(file)).rejects.toThrow('Not a file.')
    }
    expect(() => readPemFile(DEVICE)).toThrow('it is not a regular file')
  })

  it('is not read while it is watched, and the file that follows is loaded', async () => {
    const file = createFile('watched.json', '1')
    let reloads = 0
    let onReload = () => {}
    const watch = watchFiles({
      files: () => [file],
      loaded: await fingerprint([file]),
      async reload() {
        reloads += 1
        onReload()
      },
    })
    onTestFinished(() => watch.close())
    for (const content of [undefined, '2']) {
      const reloaded = new Promise<void>((resolve) => {
        onReload = resolve
      })
      replace(file, content)
      await reloaded
    }
    expect(reloads).toBe(2)
  })
})

it('does not read a document that is larger than any', async () => {
  const file = createFile('large.yaml', '')
  truncateSync(file, 3 * 1024 ** 3)
  await expect(readService(file)).rejects.toThrow('is too large: a document may have 33554432 bytes in all its files.')
  expect(await fingerprint([file])).toHaveLength(64)
})
