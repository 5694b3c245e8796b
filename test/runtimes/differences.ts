/**
 * What differs from Node on a runtime; docs/runtimes.md lists all. In the full run, `suite.test.ts` fails when a difference
 * goes away.
 */
export interface Difference {
  readonly runtimes: readonly ('Bun' | 'Deno')[]
  /** As in the documentation. */
  readonly what: string
  /** The tests that fail because of it. None for interception, which is tested in `interception.js`. */
  readonly tests: readonly string[]
}

export const DIFFERENCES: readonly Difference[] = [
  {
    runtimes: ['Bun', 'Deno'],
    what: "Functions imported by name from node:http (`import { request } from 'node:http'`), and a `fetch` function saved before `listen()`, are not intercepted: they reach the network. The first `listen()` prints a line about it. Call `http.request` and the global `fetch`.",
    tests: [],
  },
  {
    runtimes: ['Bun'],
    what: 'Requests by undici are not intercepted, because Bun has its own module of this name.',
    tests: [],
  },
  {
    runtimes: ['Bun', 'Deno'],
    what: 'Its `fetch` repeats a GET whose kept-alive connection was reset, so your code may not see a `reset` fault with `times: 1`, and the journal has both requests. In memory and intercepted it sees every reset.',
    tests: [
      'a fault of the kind, on the server any with a probability is applied in the same sequence in each run, on every adapter',
    ],
  },
  {
    runtimes: ['Bun'],
    what: 'Its `fetch` sends a path that starts with `//` with one slash.',
    tests: ['bad paths and methods, on the server returns 404 for an unknown path, and does not redirect'],
  },
  {
    runtimes: ['Bun'],
    what: 'A request line with `*` or with a scheme other than http is rejected with 400, so `OPTIONS *` is not answered.',
    tests: [
      'an unusual but valid request A13 may be OPTIONS *',
      'a request line with a path after an asterisk is rejected with 404',
      'a request line with an asterisk for another method than OPTIONS is rejected with 404',
      'a request line with another scheme is rejected with 404',
      'the target * is rejected, because it may lead outside the base URL',
      'the target ftp://other/x is rejected, because it may lead outside the base URL',
    ],
  },
  {
    runtimes: ['Bun'],
    what: 'A request line with a space in its path, or with another protocol, is rejected with 505 instead of 400.',
    tests: [
      'a request line with a space in its path is rejected with 400',
      'a request line with another protocol is rejected with 400',
    ],
  },
  {
    runtimes: ['Bun'],
    what: 'A connection with HTTP/1.0 is closed after one response.',
    tests: ['an unusual but valid request may be HTTP/1.0 with keep-alive'],
  },
  {
    runtimes: ['Bun'],
    what: 'A request with more than 198 headers is rejected with 431 even if `maxHeaders` allows it.',
    tests: [
      'maxHeaders 1000 accepts that many headers, and rejects one more',
      'maxHeaders D15 counts repeated headers: rejects 2,000 short ones',
    ],
  },
  {
    runtimes: ['Bun'],
    what: 'A client that disconnects while it waits for a response or an event is noticed only when the server writes to it. So an error that a page did not see, because it aborted the request, uses up its rule.',
    tests: [
      'a client that ends its side of the connection after its requests is disconnected if its request to upgrade has an incomplete body',
      'an event stream stops when its client disconnects',
      'does not use up a rule for a page that is gone before it could see the error',
      'holds the next request until it knows, because that may overtake the end of the connection',
    ],
  },
  {
    runtimes: ['Bun'],
    what: 'When the server closes, a connection on which nothing was sent stays open until its client sends something.',
    tests: ['close closes a connection that has not sent anything yet'],
  },
  {
    runtimes: ['Bun', 'Deno'],
    what: '`--https` is rejected with an error.',
    // `suite.config.ts` leaves out the files that are about it.
    tests: ['records headers with names of members that every object has, over HTTP/2'],
  },
  {
    runtimes: ['Bun', 'Deno'],
    what: '`--host` with the zone of an IPv6 address, such as `fe80::1%eth0`, is an error.',
    tests: ['start can be reached at its URL if the host is ::1%lo'],
  },
  {
    runtimes: ['Deno'],
    what: 'A request line with an unknown version of HTTP is rejected with 400 instead of 505.',
    tests: [
      'a request line A22 with the version " HTTP/1.2" is rejected with 505 and reaches no operation',
      'a request line A22 with the version " HTTP/3.0" is rejected with 505 and reaches no operation',
    ],
  },
  {
    runtimes: ['Deno'],
    what: 'Extensions of a chunked body may be of any length.',
    tests: ['framing D18 by a chunk extension of 20 KB is rejected with 400'],
  },
  {
    runtimes: ['Deno'],
    what: 'A request that is still arriving when the process was blocked for longer than its timeout is rejected, with 400 instead of 408. Node gives it more time.',
    tests: [
      'a timeout that passes while the event loop is blocked does not reject a request that is still sending its headers',
      'a timeout that passes while the event loop is blocked does not reject a request that is still sending its body',
      'a timeout that passes while the event loop is blocked rejects a request that does not arrive after that',
    ],
  },
]
