/** Which requests may have to wait, and for what. */
interface Gate {
  isOurs(url: string): boolean
  whenAwake(): Promise<void> | undefined
}

/** Lets the page's requests to the pet store wait for its worker where they have to; others are left alone. */
export function holdRequests(gate: Gate): () => void {
  const restores = [holdFetch(gate), ...holdXhr(gate)]
  return () => {
    for (const restore of restores) restore()
  }
}

function holdFetch({ isOurs, whenAwake }: Gate): () => void {
  return replace(window, 'fetch', (send) => {
    async function sendLater(awake: Promise<void>, args: Parameters<typeof fetch>): Promise<Response> {
      // Now, as fetch does itself: what it is made of may change until it is sent.
      const request = new Request(...args)
      await Promise.race([awake, whenAborted(request.signal)])
      return send(request)
    }
    return function fetch(this: unknown, ...args) {
      const awake = whenAwake()
      if (awake === undefined || !isOurs(addressOf(args[0]))) return Reflect.apply(send, this, args)
      return sendLater(awake, args)
    }
  })
}

function whenAborted(signal: AbortSignal): Promise<unknown> | undefined {
  if (signal.aborted) return undefined
  return new Promise((resolve) => signal.addEventListener('abort', resolve))
}

/** The address in its normal form; empty where it is none, which fetch knows to refuse. */
function addressOf(input: unknown): string {
  if (input instanceof Request) return input.url
  const text = String(input)
  return URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI).href : ''
}

function holdXhr({ isOurs, whenAwake }: Gate): (() => void)[] {
  const { prototype } = XMLHttpRequest
  /** Those that may wait, since nobody stands still for their answers. */
  const opened = new WeakSet<XMLHttpRequest>()
  const held = new WeakMap<XMLHttpRequest, object>()
  return [
    replace(prototype, 'open', (open) => {
      return function (this: XMLHttpRequest, ...args: unknown[]) {
        Reflect.apply(open, this, args)
        held.delete(this)
        const mayWait = (args.length < 3 || Boolean(args[2])) && isOurs(addressOf(args[1]))
        if (mayWait) opened.add(this)
        else opened.delete(this)
      }
    }),
    replace(prototype, 'send', (send) => {
      return function (this: XMLHttpRequest, body) {
        if (held.has(this)) throw new DOMException('The request was sent already.', 'InvalidStateError')
        const awake = opened.has(this) && this.readyState === this.OPENED ? whenAwake() : undefined
        if (awake === undefined) return send.call(this, body)
        const turn = {}
        held.set(this, turn)
        awake.then(() => {
          // It was aborted or opened anew in the meantime.
          if (held.get(this) !== turn) return
          held.delete(this)
          send.call(this, body)
        })
      }
    }),
    replace(prototype, 'abort', (abort) => {
      return function (this: XMLHttpRequest) {
        abort.call(this)
        // To the browser it was never sent, so it says nothing.
        if (held.delete(this)) for (const type of ABORTED) this.dispatchEvent(new ProgressEvent(type))
      }
    }),
  ]
}

const ABORTED = ['abort', 'loadend']

/** Returns what undoes it, unless somebody else has replaced it since and still calls ours. */
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
