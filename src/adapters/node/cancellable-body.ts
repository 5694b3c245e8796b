/**
 * Lets a client cancel the body of a response: `await response.body.cancel()`, or leaving a `for await` early. msw 2 splits
 * the body in two, one for the client and one for its own events, and such a half is cancelled only together with the other.
 */
export function makeCancellable(body: ReadableStream<Uint8Array>): void {
  const tee = body.tee.bind(body)
  Object.defineProperty(body, 'tee', {
    value() {
      const [forClient, forEvents] = tee()
      return [toIndependent(forClient), forEvents]
    },
  })
}

/** A byte stream, like the body of a response from the network. */
function toIndependent(half: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = half.getReader()
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) {
          controller.close()
          // Ends a read into a buffer of the client.
          controller.byobRequest?.respond(0)
          return
        }
        // A byte stream rejects empty parts, and takes the memory of a part away from all others that use it.
        if (value.length > 0) return controller.enqueue(new Uint8Array(value))
      }
    },
    // Not awaited: it waits for the other half.
    cancel: (reason) => void reader.cancel(reason).catch(() => {}),
  })
}
