/** The URL to send to, and the body, if the kind of request has one. */
export interface Payload {
  readonly address: string
  readonly text: string
}

/** Runs in a page: submits a form into a frame, optionally through a redirect of the page's own site. */
export function submitForm({
  address,
  text,
  enctype,
  hop,
}: Payload & { enctype: string; hop?: boolean }): Promise<unknown> {
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
  'a form of plain text': { enctype: PLAIN },
  'a form through a redirect': { enctype: PLAIN, hop: true },
} as const

/** Other requests that browsers send without a preflight. Each runs in a page. */
export const POSTS = {
  'a form with an opaque origin': async ({ address, text }: Payload) => {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts allow-forms')
    frame.srcdoc = `<form method="post" enctype="text/plain" action="${address}"><input></form>
      <script>document.forms[0][0].name = ${JSON.stringify(text)}; document.forms[0].submit()</script>`
    document.body.append(frame)
  },
  'a fetch of plain text': ({ address, text }: Payload) =>
    fetch(address, { method: 'POST', mode: 'no-cors', credentials: 'include', body: text }),
  'an XMLHttpRequest': ({ address, text }: Payload) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.withCredentials = true
      request.onloadend = resolve
      request.open('POST', address)
      request.send(text)
    }),
  'a beacon of plain text': async ({ address, text }: Payload) => navigator.sendBeacon(address, text),
  'a service worker': async ({ address, text }: Payload) => {
    await navigator.serviceWorker.register('/worker.js')
    const { active } = await navigator.serviceWorker.ready
    const { port1, port2 } = new MessageChannel()
    active?.postMessage([address, { method: 'POST', mode: 'no-cors', body: text }], [port2])
    await new Promise((resolve) => {
      port1.onmessage = resolve
    })
  },
  'the ping of a link': async ({ address }: Payload) => {
    const link = document.createElement('a')
    link.href = '#here'
    link.ping = address
    document.body.append(link)
    link.click()
  },
  'the report of a policy': async ({ address }: Payload) => {
    const frame = document.createElement('iframe')
    frame.src = `/report?to=${encodeURIComponent(address)}`
    document.body.append(frame)
  },
} as const

/** Requests with a preflight; each title starts with the method. */
export const PREFLIGHTED = {
  PUT: ({ address, text }: Payload) => fetch(address, { method: 'PUT', body: text }),
  PATCH: ({ address, text }: Payload) => fetch(address, { method: 'PATCH', body: text }),
  DELETE: ({ address }: Payload) => fetch(address, { method: 'DELETE', credentials: 'include' }),
  'POST of JSON': ({ address, text }: Payload) =>
    fetch(address, { method: 'POST', body: text, headers: { 'content-type': 'application/json' } }),
  'POST of a beacon': async ({ address, text }: Payload) =>
    navigator.sendBeacon(address, new Blob([text], { type: 'application/json' })),
} as const
