/** Where something is sent, and the text that is its body where the way of sending has one. */
export interface Sending {
  readonly address: string
  readonly text: string
}

/** Runs in a page: sends a form into a frame, by way of the page's own site where it is told to. */
export function submitForm({
  address,
  text,
  enctype,
  hop,
}: Sending & { enctype: string; hop?: boolean }): Promise<unknown> {
  return new Promise((resolve) => {
    document.body.innerHTML = '<iframe name="hidden"></iframe><form method="post" target="hidden"><input></form>'
    const form = document.forms[0] as HTMLFormElement
    ;(form[0] as HTMLInputElement).name = text
    ;(document.querySelector('iframe') as HTMLIFrameElement).onload = resolve
    form.enctype = enctype
    form.action = hop ? `/hop?to=${encodeURIComponent(address)}` : address
    form.submit()
  })
}

const PLAIN = 'text/plain'

export const FORMS = {
  'a form': { enctype: 'application/x-www-form-urlencoded' },
  'a form with parts': { enctype: 'multipart/form-data' },
  'a form of plain text': { enctype: PLAIN },
  'a form by way of a redirect': { enctype: PLAIN, hop: true },
} as const

/** Other ways to send something that no browser asks about first. Each runs in a page. */
export const POSTS = {
  'a form in a new window': async ({ address, text }: Sending) => {
    document.body.innerHTML = '<form method="post" target="_blank" enctype="text/plain"><input></form>'
    const form = document.forms[0] as HTMLFormElement
    ;(form[0] as HTMLInputElement).name = text
    form.action = address
    form.submit()
  },
  'a form without an origin': async ({ address, text }: Sending) => {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts allow-forms')
    frame.srcdoc = `<form method="post" enctype="text/plain" action="${address}"><input></form>
      <script>document.forms[0][0].name = ${JSON.stringify(text)}; document.forms[0].submit()</script>`
    document.body.append(frame)
  },
  'a fetch of plain text': ({ address, text }: Sending) =>
    fetch(address, { method: 'POST', mode: 'no-cors', credentials: 'include', body: text }),
  'a fetch of a blob': ({ address, text }: Sending) =>
    fetch(address, { method: 'POST', mode: 'no-cors', body: new Blob([text], { type: 'application/json' }) }),
  'a fetch of bytes': ({ address, text }: Sending) =>
    fetch(address, { method: 'POST', mode: 'no-cors', keepalive: true, body: new TextEncoder().encode(text) }),
  'a request of the old kind': ({ address, text }: Sending) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.withCredentials = true
      request.onloadend = resolve
      request.open('POST', address)
      request.send(text)
    }),
  'a beacon of plain text': async ({ address, text }: Sending) => navigator.sendBeacon(address, text),
  'a beacon of a form': async ({ address, text }: Sending) =>
    navigator.sendBeacon(address, new URLSearchParams({ [text]: '' })),
  'a service worker': async ({ address, text }: Sending) => {
    await navigator.serviceWorker.register('/worker.js')
    const { active } = await navigator.serviceWorker.ready
    const { port1, port2 } = new MessageChannel()
    active?.postMessage([address, { method: 'POST', mode: 'no-cors', body: text }], [port2])
    await new Promise((resolve) => {
      port1.onmessage = resolve
    })
  },
  'the ping of a link': async ({ address }: Sending) => {
    const link = document.createElement('a')
    link.href = '#here'
    link.ping = address
    document.body.append(link)
    link.click()
  },
  'the report of a policy': async ({ address }: Sending) => {
    const frame = document.createElement('iframe')
    frame.src = `/report?to=${encodeURIComponent(address)}`
    document.body.append(frame)
  },
} as const

/** What a browser asks about first: each names the method of what it would send then. */
export const ASKED_FIRST = {
  PUT: ({ address, text }: Sending) => fetch(address, { method: 'PUT', body: text }),
  PATCH: ({ address, text }: Sending) => fetch(address, { method: 'PATCH', body: text }),
  DELETE: ({ address }: Sending) => fetch(address, { method: 'DELETE', credentials: 'include' }),
  'POST of JSON': ({ address, text }: Sending) =>
    fetch(address, { method: 'POST', body: text, headers: { 'content-type': 'application/json' } }),
  'POST with a header': ({ address, text }: Sending) =>
    fetch(address, { method: 'POST', body: text, headers: { 'x-petstore-sandbox': 'first' } }),
  'POST of a beacon': async ({ address, text }: Sending) =>
    navigator.sendBeacon(address, new Blob([text], { type: 'application/json' })),
} as const

/** What is sent many times over, so that what it takes runs out: nothing of it needs somebody to click. */
export const STORMS = {
  'image tags': (addresses: readonly string[]) =>
    Promise.all(
      addresses.map(
        (address) =>
          new Promise((resolve) => {
            const image = new Image()
            image.onload = resolve
            image.onerror = resolve
            image.src = address
          }),
      ),
    ),
  'fetches that ask for no permission': (addresses: readonly string[]) =>
    Promise.all(addresses.map((address) => fetch(address, { mode: 'no-cors' }))),
  'web sockets': (addresses: readonly string[]) =>
    Promise.all(
      addresses.map(
        (address) =>
          new Promise((resolve) => {
            new WebSocket(address.replace('http', 'ws')).onclose = resolve
          }),
      ),
    ),
  'pages fetched ahead': async (addresses: readonly string[]) => {
    const script = document.createElement('script')
    script.type = 'speculationrules'
    script.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: addresses, eagerness: 'immediate' }] })
    document.head.append(script)
  },
  'navigations that are given up': async (addresses: readonly string[]) => {
    // What drives the page counts as a click, and this uses it up.
    window.open('about:blank')?.close()
    for (const address of addresses) {
      location.href = address
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  },
} as const
