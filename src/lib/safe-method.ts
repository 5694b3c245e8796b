/** Whether requests with this method change nothing, by the rules of HTTP. TRACE is left out: no client here sends it. */
export function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}
