import { describe, expect, it } from 'vitest'
import { isAnyAddress, isLoopbackHost, toHostName } from '../../src/adapters/server/host-names.js'

describe('a host', () => {
  it.each([
    ['LOCALHOST', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['::1', '[::1]'],
    ['[::1]', '[::1]'],
    ['::1%lo', '[::1]'],
    ['fe80::1%eth0', '[fe80::1]'],
    ['2001:DB8:0:0::1', '[2001:db8::1]'],
    ['::ffff:127.0.0.1', '[::ffff:7f00:1]'],
    ['http://a.test/b', 'http://a.test/b'],
    ['a b', 'a b'],
  ])('%s is %s in a Host header', (host, name) => {
    expect(toHostName(host)).toBe(name)
    expect(toHostName(name)).toBe(name)
  })

  it.each(['0.0.0.0', '0', '::', '::0', '0:0:0:0:0:0:0:0'])(
    '%s stands for all addresses, and is not loopback',
    (host) => {
      expect([isAnyAddress(host), isLoopbackHost(host)]).toEqual([true, false])
    },
  )

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '::1%lo', '0:0:0:0:0:0:0:1'])('%s is loopback', (host) => {
    expect([isAnyAddress(host), isLoopbackHost(host)]).toEqual([false, true])
  })
})
