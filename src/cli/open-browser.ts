import { spawn } from 'node:child_process'

/** How each system is asked to open an address in the browser that its user likes. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens a page in the system's browser. Where there is none, the address is on the screen anyway. */
export function openBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  opener.on('error', () => process.stderr.write('petstore-mock: no browser could be opened here\n'))
  opener.unref()
}
