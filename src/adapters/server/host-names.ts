import { isIPv6 as matchesIPv6 } from 'node:net'

/** Compared for equality: other names that resolve to this machine are not trusted. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

export function isLoopbackHost(host: string): boolean {
  return isLoopbackName(toHostName(host))
}

/** Whether a Host header names this machine's loopback interface. */
export function isLoopbackAuthority(authority: string): boolean {
  return isLoopbackName(readHostName(authority) ?? '')
}

function isLoopbackName(name: string): boolean {
  return LOOPBACK_HOSTS.includes(name) || /^127(?:\.\d{1,3}){3}$/.test(name)
}

/** Whether this address stands for all addresses of the machine. It is not a host that a client can name. */
export function isAnyAddress(host: string): boolean {
  return ['0.0.0.0', '[::]'].includes(toHostName(host))
}

/** Compiling Node's expression for it takes milliseconds, so only what may match is tested. */
function isIPv6(address: string): boolean {
  return address.includes(':') && matchesIPv6(address)
}

export function isHostName(text: string): boolean {
  return /^[a-z0-9._-]+$/i.test(text) || isIPv6(withoutBrackets(text))
}

/**
 * As clients write it in a Host header: lower case, an IPv6 address in brackets and without its zone, and addresses in
 * their shortest form.
 */
export function toHostName(host: string): string {
  const address = withoutBrackets(host)
  const name = isIPv6(address) ? `[${address.replace(/%.*/, '')}]` : host.toLowerCase()
  const url = `http://${name}`
  return isHostName(host) && URL.canParse(url) ? new URL(url).hostname : name
}

export function withoutBrackets(host: string): string {
  return host.replaceAll(/^\[|\]$/g, '')
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
