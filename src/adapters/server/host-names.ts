/** Compared for equality: other names that resolve to this machine are not trusted. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOSTS.includes(toHostName(host)) || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** Whether a Host header names this machine's loopback interface. */
export function isLoopbackAuthority(authority: string): boolean {
  return isLoopbackHost(readHostName(authority) ?? '')
}

/** Whether this address stands for all addresses of the machine. It is not a host that a client can name. */
export function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** As in a Host header: lower case, and an IPv6 address in brackets. */
export function toHostName(host: string): string {
  const name = host.toLowerCase()
  return name.includes(':') && !name.startsWith('[') ? `[${name}]` : name
}

const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{0,5}))?$/i
const MAX_PORT = 65_535

/** The host name in a Host header. Undefined if the header is malformed. */
export function readHostName(authority: string): string | undefined {
  const [, name, port = ''] = HOST.exec(authority.toLowerCase()) ?? []
  return Number(port) > MAX_PORT ? undefined : name
}

export function isLoopbackOrigin(origin: string): boolean {
  const [, host] = /^https?:\/\/(.+?)(?::\d{1,5})?$/.exec(origin) ?? []
  return host !== undefined && LOOPBACK_HOSTS.includes(host)
}
