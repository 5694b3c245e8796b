interface Delay {
  /** Whether requests to a URL are delayed; others are sent at once. */
  appliesTo(url: string): boolean
  /** Returns undefined if a request need not wait. */
  wait(): Promise<void> | undefined
}

/** Delays the page's requests with `fetch` and `XMLHttpRequest`. Returns a function that restores both. */
export function delayRequests(delay: Delay): () => void {
  const restores = [delayFetch(delay), ...delayXhr(delay)]
  return () => {
    for (const restore of restores) restore()
  }
}

function delayFetch({ appliesTo, wait }: Delay): () => void {
  return replace(window, 'fetch', (send) => {
    async function sendLater(waiting: Promise<void>, args: Parameters<typeof fetch>): Promise<Response> {
      // Created before the wait, as fetch does, because the caller may change the arguments meanwhile.
      const request = new Request(...args)
      await Promise.race([waiting, whenAborted(request.signal)])
      return send(request)
    }
    return function fetch(this: unknown, ...args) {
      const waiting = appliesTo(toUrl(args[0])) ? (wait() ?? untilAborted(args)) : undefined
      return waiting === undefined ? Reflect.apply(send, this, args) : sendLater(waiting, args)
    }
  })
}

/**
 * In development, React starts every effect twice, and aborts the request of the first at once. The mock must not see it: the
 * worker does not say that a request is aborted, and the request would use up a fault.
 */
function untilAborted([input, init]: Parameters<typeof fetch>): Promise<void> | undefined {
  return init?.signal || input instanceof Request ? Promise.resolve() : undefined
}

function whenAborted(signal: AbortSignal): Promise<unknown> | undefined {
  if (signal.aborted) return undefined
  return new Promise((resolve) => signal.addEventListener('abort', resolve))
}

/** Returns an empty string for an invalid URL, which the browser then rejects itself. */
function toUrl(input: unknown): string {
  if (input instanceof Request) return input.url
  const text = String(input)
  return URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI).href : ''
}

function delayXhr({ appliesTo, wait }: Delay): (() => void)[] {
  const { prototype } = XMLHttpRequest
  /** Opened asynchronous requests; a synchronous one cannot wait. */
  const delayable = new WeakSet<XMLHttpRequest>()
  /** The current wait of a request, which `open` and `abort` end. */
  const waits = new WeakMap<XMLHttpRequest, object>()
  return [
    replace(prototype, 'open', (open) => {
      return function (this: XMLHttpRequest, ...args: unknown[]) {
        Reflect.apply(open, this, args)
        waits.delete(this)
        const isAsync = args.length < 3 || Boolean(args[2])
        if (isAsync && appliesTo(toUrl(args[1]))) delayable.add(this)
        else delayable.delete(this)
      }
    }),
    replace(prototype, 'send', (send) => {
      return function (this: XMLHttpRequest, body) {
        if (waits.has(this)) throw new DOMException('The request is already sent.', 'InvalidStateError')
        const waiting = delayable.has(this) && this.readyState === this.OPENED ? wait() : undefined
        if (waiting === undefined) return send.call(this, body)
        const id = {}
        waits.set(this, id)
        waiting.then(() => {
          if (waits.get(this) !== id) return
          waits.delete(this)
          send.call(this, body)
        })
      }
    }),
    replace(prototype, 'abort', (abort) => {
      return function (this: XMLHttpRequest) {
        abort.call(this)
        // The browser dispatches no events, because the request was never sent.
        if (!waits.delete(this)) return
        for (const type of ['abort', 'loadend']) this.dispatchEvent(new ProgressEvent(type))
      }
    }),
  ]
}

/** Replaces a method. Returns a function that restores it, unless other code has replaced it since. */
function replace<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  create: (original: Owner[Name]) => Owner[Name],
): () => void {
  const original = owner[name]
  const replacement = create(original)
  owner[name] = replacement
  return () => {
    if (owner[name] === replacement) owner[name] = original
  }
}
