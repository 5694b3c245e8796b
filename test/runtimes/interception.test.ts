import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { BUN, DENO, programOf } from '../../scripts/install-runtimes.js'
import { installPacked } from '../support/installed.js'
import { root } from '../support/packed.js'
import { runToEnd } from '../support/runtimes.js'

let project: string

beforeAll(async () => {
  project = (await installPacked()).folder
  for (const name of ['msw', 'axios'])
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name))
  for (const name of ['interception.js', 'interception.bun.test.js', 'interception.deno.test.js']) {
    await cp(join(root, 'test/runtimes', name), join(project, name))
  }
})

const INCOMPLETE = /petstore-mock cannot intercept every request on this runtime/g

it('intercepts requests in bun test, and says once what it cannot intercept', async () => {
  const { code, stdout, stderr } = await runToEnd([programOf(BUN), 'test', 'interception.bun.test.js'], project)
  expect([code, stderr]).toEqual([0, expect.stringMatching(/ 34 pass\n 0 fail/)])
  expect((stdout + stderr).match(INCOMPLETE)).toHaveLength(1)
})

it('intercepts requests in deno test, and says once what it cannot intercept', async () => {
  const args = ['test', '--no-check', '--allow-env', '--allow-net', 'interception.deno.test.js']
  const { code, stdout, stderr } = await runToEnd([programOf(DENO), ...args], project)
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ok \| 32 passed \| 0 failed/)])
  expect((stdout + stderr).match(INCOMPLETE)).toHaveLength(1)
})
