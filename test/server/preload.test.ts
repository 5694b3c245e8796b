import { expect, it, vi } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'

const loads = vi.hoisted(() => ({ count: 0 }))

vi.mock('../../src/engine/admin/handlers.js', (importOriginal) => {
  loads.count += 1
  return importOriginal()
})

it('loads the admin API soon after it starts, because a failed import is never repeated', async () => {
  await using server = await startServer({ port: 0 })
  await expect.poll(() => loads.count).toBe(1)
  expect((await fetch(`${server.url}/__admin/health`)).status).toBe(200)
})
