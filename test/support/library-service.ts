import type { Fetch } from '../../src/tools/server/send-request.js'

interface Book {
  readonly id: number
  readonly title: unknown
  readonly borrower?: unknown
}

export interface LibraryService {
  readonly fetch: Fetch
  /** The books that it has now. */
  books(): readonly Book[]
}

const OWN: readonly Book[] = [
  { id: 1, title: 'Emma', borrower: 'Ada' },
  { id: 2, title: 'Dune' },
]

const CODES: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST',
  404: 'BOOK_NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  409: 'BOOK_LENT',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

/**
 * A lending library by hand, without anything of ours. A careless one believes what it is sent: it reads ids with `parseInt`,
 * takes the id in a body for the record, stores any title, and answers 200 whatever happens.
 */
export function createLibraryService(isCareless: boolean): LibraryService {
  const books = new Map<number, Book>(OWN.map((book) => [book.id, book]))
  let lastId = OWN.length

  function respond(status: number, body?: unknown, headers: Record<string, string> = {}): Response {
    const sent = isCareless && status < 500 ? 200 : status
    return new Response(sent === 204 ? null : JSON.stringify(body ?? {}), {
      status: sent,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
  }

  const fail = (status: number, headers?: Record<string, string>) =>
    respond(status, { code: CODES[status], message: 'No.', status }, headers)

  function list(query: URLSearchParams): Response {
    const borrower = query.get('borrower')
    if (borrower === '' && !isCareless) return fail(400)
    return respond(
      200,
      [...books.values()].filter((book) => borrower === null || book.borrower === borrower),
    )
  }

  function isValid({ title, borrower }: Partial<Book>): boolean {
    return typeof title === 'string' && title !== '' && (borrower === undefined || typeof borrower === 'string')
  }

  function add(body: Partial<Book>): Response {
    if (!isCareless && !isValid(body)) return fail(400)
    lastId += 1
    const id = isCareless && body.id !== undefined ? Number(body.id) : lastId
    const { title, borrower } = body
    const book = { id, title, ...(borrower !== undefined && { borrower }) }
    books.set(id, book)
    return respond(201, book, { Location: `/books/${id}` })
  }

  function useOne(method: string, text: string): Response {
    const isId = /^(?:0|-?[1-9]\d*)$/.test(text)
    if (!isId && !isCareless) return fail(400)
    const id = isCareless ? Number.parseInt(text, 10) : Number(text)
    const book = books.get(id)
    if (method !== 'GET' && method !== 'DELETE') return fail(405, { Allow: 'GET, DELETE' })
    if (book === undefined) return fail(404)
    if (method === 'GET') return respond(200, book)
    books.delete(id)
    return respond(204)
  }

  return {
    books: () => [...books.values()],
    async fetch(url, { method = 'GET', headers, body }) {
      const { pathname, searchParams } = new URL(url)
      const [, text] = /^\/books(?:\/([^/]+))?$/.exec(pathname) ?? []
      const sent = new Headers(headers)
      if (!/^\/books(?:\/[^/]+)?$/.test(pathname)) return fail(404)
      if (!/json|\*\/\*/.test(sent.get('accept') ?? '*/*')) return fail(406)
      if (text !== undefined) return useOne(method, text)
      if (method === 'GET') return list(searchParams)
      if (method !== 'POST') return fail(405, { Allow: 'GET, POST' })
      if (!sent.get('content-type')?.includes('json')) return fail(415)
      try {
        const value: unknown = JSON.parse(String(body))
        return typeof value === 'object' && value !== null ? add(value) : fail(400)
      } catch {
        return fail(400)
      }
    },
  }
}
