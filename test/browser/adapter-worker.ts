/** A module worker of the application that fetches the URLs it receives. */
self.addEventListener('message', async ({ data }: MessageEvent<string>) => {
  const response = await fetch(data)
  postMessage({ status: response.status, text: await response.text() })
})

export {}
