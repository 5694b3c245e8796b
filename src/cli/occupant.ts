import { printable } from './printable.js'

/** Nobody waits for an error message. */
const PATIENCE_MS = 1000

/** The version of the petstore-mock that answers at an address already; undefined where it is somebody else, or nobody. */
export async function findOccupant(host: string, port: number): Promise<string | undefined> {
  const name = host.includes(':') ? `[${host}]` : host
  try {
    const { headers, body } = await fetch(`http://${name}:${port}/__admin/health`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await body?.cancel()
    const version = headers.get('X-Petstore-Mock')
    return version === null ? undefined : printable(version)
  } catch {
    return undefined
  }
}
