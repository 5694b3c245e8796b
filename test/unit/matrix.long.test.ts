import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { parseYamlDocument } from '../../src/lib/yaml.js'
import { isFullRun } from '../support/full-run.js'
import { ROWS } from '../support/matrix.js'
import { documentsOfDocs, ownDocuments } from '../support/matrix-documents.js'

/** Used instead of ours: `MATRIX_DOCUMENTS=<folder> npm run test:long -- test/unit/matrix.long.test.ts --reporter=verbose`. */
const folder = process.env.MATRIX_DOCUMENTS

const documents = folder === undefined ? { ...documentsOfDocs(), ...ownDocuments } : readFolder(folder)

function readFolder(path: string): Readonly<Record<string, object>> {
  const read = (name: string) => parseYamlDocument(readFileSync(join(path, name), 'utf8')) as object
  return Object.fromEntries(readdirSync(path).map((name) => [name, read(name)]))
}

const UNKNOWN_PARENTS =
  'after an import, changed records are below each parent that nobody lists, as starting records are'

/** What is not equal yet, by row and document. Each must differ, so that none stays here when it is mended. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'imports what it exported': {
    'below what nobody lists': UNKNOWN_PARENTS,
  },
  'keeps its data when it is reloaded': { 'below what nobody lists': UNKNOWN_PARENTS },
  'keeps its data in a page': { 'below what nobody lists': UNKNOWN_PARENTS },
}

const cells = Object.entries(documents).flatMap(([name, document], column) =>
  Object.entries(ROWS).map(([title, findDifferences], row) => ({
    name,
    title,
    document,
    findDifferences,
    known: folder === undefined ? KNOWN[title]?.[name] : undefined,
    at: row + column,
  })),
)

/** Each document and each row is in every third of them. */
const chosen = isFullRun || folder !== undefined ? cells : cells.filter(({ at }) => at % 3 === 0)

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  })
  return () => vi.unstubAllGlobals()
})

const MAX_SHOWN = 5

it.each(chosen)('$name: $title', { timeout: 600_000 }, async ({ name, title, document, findDifferences, known }) => {
  const differences = await findDifferences(document).catch((error: Error) => [String(error.stack)])
  if (known === undefined) expect(differences.slice(0, MAX_SHOWN)).toEqual([])
  else if (differences.length === 0) expect.fail(`Remove "${name}" of "${title}" from KNOWN: nothing differs any more.`)
})
