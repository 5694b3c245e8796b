/** Whether `fetch` sends a request as it is: it changes some addresses and methods, and rejects others. */
export function canFetch(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  hasBody: boolean,
): boolean {
  const url = `http://localhost${target}`
  try {
    const request = new Request(url, { method, headers, ...(hasBody && { body: '' }) })
    return request.method === method && normalise(request.url) === normalise(url) && !target.includes('#')
  } catch {
    return false
  }
}

/** Characters that `fetch` encodes in a query, such as an apostrophe, mean the same. */
function normalise(url: string): string {
  return url.replace(/\?.*$/, (query) => String(new URLSearchParams(query)))
}
