/** A module worker of the application, which asks for what it is told. */
self.addEventListener('message', async ({ data }: MessageEvent<string>) => {
  const response = await fetch(data)
  postMessage({ status: response.status, text: await response.text() })
})

export {}
