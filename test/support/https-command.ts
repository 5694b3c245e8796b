import { useEmptyCache } from './certificates.js'
import { startCommand } from './command.js'

/** Starts the command with HTTPS. Returns the URL of a pet, and the file of the certificate that it prints. */
export async function startHttps(): Promise<[url: string, certificateFile: string]> {
  useEmptyCache()
  const command = startCommand(['--port', '0', '--scenario', 'single', '--https'])
  const [, url = '', file = ''] = await command.printed(/ API +(https:\S+)\n[\s\S]* Cert +(\S+)\n/)
  return [`${url}/pets/1`, file]
}
