import { type Admin, splitBase, toBase } from '../api.js'
import { useDashboard } from '../context.js'
import { useAdmin, useResource } from '../resource.js'
import type { RequestList } from './request-list.js'

/** The list has the newest requests only. The HAR download has all that the mock has recorded. */
const PATH = '/journal?limit=300'
const PATH_OF_EACH = '/journal?limit=50'

/** Events are those of one instance, so the others are read from time to time. */
const POLL_MS = 2000

/** The requests of one instance, as they arrive. */
export function useJournal() {
  return useAdmin<RequestList>(PATH, { topics: ['request', 'reset'] })
}

/** The requests of the main instance and of every sandbox. */
export function useAllJournals() {
  const { api } = useDashboard()
  const { root } = splitBase(api.base)

  async function load(): Promise<RequestList> {
    const sandboxes = await api.rootAdmin<Admin['Sandbox'][]>('GET', '/sandboxes')
    const journals = await Promise.all(['', ...sandboxes.map(({ name }) => name)].map(read))
    return {
      entries: journals.flatMap(({ entries }) => entries).sort((a, b) => (a.at < b.at ? -1 : 1)),
      total: journals.reduce((sum, { total }) => sum + total, 0),
    }
  }
  async function read(sandbox: string): Promise<RequestList> {
    // A sandbox may have been deleted since the list was read.
    const journal = await api.adminAt<RequestList>(toBase(root, sandbox), 'GET', PATH_OF_EACH).catch(() => undefined)
    return { entries: journal?.entries.map((entry) => ({ ...entry, sandbox })) ?? [], total: journal?.total ?? 0 }
  }
  return useResource('all journals', load, { topics: ['request', 'reset'], everyMs: POLL_MS })
}
