import http from 'node:http'

/** Warns of an interceptor that gets requests before the mock. Must be called before msw starts. */
export function warnOfOtherInterceptors({ isMsw3 }: { isMsw3: boolean }): void {
  const { name } = http.ClientRequest
  if (name === NAME_IN_NOCK) warnOnce(isMsw3 ? NOCK_WITH_MSW_3 : NOCK)
  else if (name !== 'ClientRequest')
    warnOnce(`${name} has replaced http.ClientRequest, and gets requests before the mock.`)
}

/** Warns of a stub of the global fetch, or the like, which cannot be told from a polyfill until it has responded. */
export function warnOfOtherResponse(): void {
  warnOnce(
    'Something else has responded to a request that was for the mock, such as a stub of the global fetch. Remove the ' +
      'stub, or let it call the original fetch.',
  )
}

/** In nock 13 and 14. Later versions get requests after the mock. */
const NAME_IN_NOCK = 'OverriddenClientRequest'

const NOCK =
  'nock gets requests before the mock. This works if nock is loaded before listen() is called, and lets the requests ' +
  "through: after nock.disableNetConnect(), call nock.enableNetConnect() with the mock's host."

const NOCK_WITH_MSW_3 =
  'nock gets the requests of node:http before the mock, and sends them to the network. With msw 3, use nock 15.'

const printed = new Set<string>()

function warnOnce(text: string): void {
  if (printed.has(text)) return
  printed.add(text)
  console.warn(`petstore-mock: ${text}`)
}
