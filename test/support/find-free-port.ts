import { createServer } from 'node:net'

/**
 * A free port on loopback, for programs that cannot pick one themselves. It is below the ports that the system assigns, so that
 * no server or connection of another test gets it before the program listens.
 */
export async function findFreePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000)
  return (await isFree(port)) ? port : findFreePort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
