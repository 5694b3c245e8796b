import { useRef } from 'preact/hooks'
import { machineDate } from '../../lib/clock.js'
import { type Admin, splitBase, toBase } from '../api.js'
import { useDashboard } from '../context.js'
import { useAdmin, useResource } from '../resource.js'
import { createMerger, type SandboxJournal } from './merge.js'
import type { RequestList } from './request-list.js'

/** The list has the newest requests only. The HAR download has all that the mock has recorded. */
const PATH = '/journal?limit=300'
const PATH_OF_EACH = '/journal?limit=50'

/** Events are those of one instance, so the others are read from time to time. */
const POLL_MS = 2000

/** The requests of one instance, as they arrive. */
export function useJournal() {
  return useAdmin<Admin['Journal']>(PATH, { topics: ['request', 'reset'] })
}

/** The requests of the root and of every sandbox. */
export function useAllJournals() {
  const { api } = useDashboard()
  const { root } = splitBase(api.base)
  const merge = useRef(createMerger())

  async function load(): Promise<RequestList> {
    const sandboxes = await api.rootAdmin<Admin['Sandbox'][]>('GET', '/sandboxes')
    const main = { name: '', createdAt: '', lastUsedAt: new Date(machineDate.now()).toISOString() }
    const journals = await Promise.all([main, ...sandboxes].map(read))
    return {
      isAll: true,
      entries: merge.current(journals),
      total: journals.reduce((sum, { total }) => sum + total, 0),
    }
  }
  async function read(sandbox: Omit<Admin['Sandbox'], 'requests'>): Promise<SandboxJournal & { total: number }> {
    const base = toBase(root, sandbox.name)
    // A sandbox may have been deleted since the list was read.
    const journal = await api.adminAt<Admin['Journal']>(base, 'GET', PATH_OF_EACH).catch(() => undefined)
    return { ...sandbox, entries: journal?.entries ?? [], total: journal?.total ?? 0 }
  }
  return useResource('all journals', load, { topics: ['request', 'reset'], everyMs: POLL_MS })
}
