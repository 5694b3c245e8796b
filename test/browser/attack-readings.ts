/** Ways for a page to read a URL. Each runs in a page and returns everything that the page can see of the response. */
export const READ_ATTEMPTS = {
  'a fetch': async (address: string) => {
    const response = await fetch(address)
    return `${response.status} ${[...response.headers]} ${await response.text()}`
  },
  'a fetch with credentials': async (address: string) => (await fetch(address, { credentials: 'include' })).text(),
  'a no-cors fetch': async (address: string) => {
    const response = await fetch(address, { mode: 'no-cors', credentials: 'include' })
    return `${response.status} ${[...response.headers]} ${await response.text()}`
  },
  'a fetch through a redirect': async (address: string) =>
    (await fetch(`/hop?to=${encodeURIComponent(address)}`)).text(),
  'an XMLHttpRequest': (address: string) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      request.withCredentials = true
      request.onloadend = () => resolve(`${request.getAllResponseHeaders()} ${request.responseText}`)
      request.open('GET', address)
      request.send()
    }),
  'an event stream': (address: string) =>
    new Promise((resolve) => {
      const stream = new EventSource(address, { withCredentials: true })
      const end = (seen: string) => {
        stream.close()
        resolve(seen)
      }
      for (const type of ['message', 'request', 'state', 'fault', 'reset']) {
        stream.addEventListener(type, ({ data }) => end(data))
      }
      stream.onerror = () => end('failed')
    }),
  'a web socket': (address: string) =>
    new Promise((resolve) => {
      const socket = new WebSocket(address.replace('http', 'ws'))
      socket.onmessage = ({ data }) => resolve(data)
      socket.onerror = () => resolve('failed')
    }),
  'a script': (address: string) =>
    new Promise((resolve) => {
      const script = document.createElement('script')
      let complaint = ''
      window.onerror = (...whole) => {
        complaint = whole.join(' ')
      }
      script.onload = () => resolve(`loaded ${Reflect.get(window, 'seen')} ${complaint}`)
      script.onerror = () => resolve(`failed ${complaint}`)
      script.src = address
      document.body.append(script)
    }),
  'a style sheet': (address: string) =>
    new Promise((resolve) => {
      const link = document.createElement('link')
      link.rel = 'stylesheet'
      link.onload = () => resolve(getComputedStyle(document.documentElement).getPropertyValue('--seen'))
      link.onerror = () => resolve('failed')
      link.href = address
      document.head.append(link)
    }),
  'a frame': (address: string) =>
    new Promise((resolve, reject) => {
      const frame = document.createElement('iframe')
      frame.onload = () => {
        try {
          resolve(frame.contentWindow?.document.documentElement.textContent)
        } catch (error) {
          reject(error)
        }
      }
      frame.src = address
      document.body.append(frame)
    }),
  'a frame with an opaque origin': (address: string) =>
    new Promise((resolve) => {
      window.onmessage = ({ data }) => resolve(data)
      const frame = document.createElement('iframe')
      frame.setAttribute('sandbox', 'allow-scripts')
      frame.srcdoc = `<script>
        fetch('${address}').then((response) => response.text()).catch(String).then((seen) => parent.postMessage(seen, '*'))
      </script>`
      document.body.append(frame)
    }),
  'a service worker': async (address: string) => {
    await navigator.serviceWorker.register('/worker.js')
    const { active } = await navigator.serviceWorker.ready
    const seen = [{}, { mode: 'no-cors' }].map(
      (init) =>
        new Promise((resolve) => {
          const channel = new MessageChannel()
          channel.port1.onmessage = ({ data }) => resolve(data)
          active?.postMessage([address, init], [channel.port2])
        }),
    )
    return (await Promise.all(seen)).join()
  },
} as const

/** A page learns only whether an image was loaded. */
export const PROBES = {
  'an image': (address: string) =>
    new Promise((resolve) => {
      const image = new Image()
      image.onload = () => resolve(`loaded, ${image.naturalWidth} wide`)
      image.onerror = () => resolve('failed')
      image.src = address
    }),
} as const

export const READS: readonly [title: string, act: (address: string) => Promise<unknown>][] = [
  ...Object.entries(READ_ATTEMPTS),
  ...Object.entries(PROBES),
]
