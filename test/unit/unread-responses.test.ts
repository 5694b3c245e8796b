import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { Carrier } from '../../src/adapters/server/carrier.js'
import { UnreadResponses } from '../../src/adapters/server/unread-responses.js'

const MB = 1_048_576

function setUp() {
  const broken: string[] = []
  const names = new Map<ServerResponse, string>()
  let unreadBytes = 0
  const carrier = {
    breakOff: (response) => void broken.push(names.get(response) ?? ''),
    onUnread(_response, change) {
      unreadBytes += change
    },
  } as Partial<Carrier> as Carrier
  const unread = new UnreadResponses()
  return {
    unread,
    broken,
    unreadBytes: () => unreadBytes,
    hold(name: string, megabytes: number) {
      const response = new EventEmitter() as unknown as ServerResponse
      names.set(response, name)
      unread.hold(response, megabytes * MB, carrier)
      return response
    },
    resize: (response: ServerResponse, megabytes: number) => unread.hold(response, megabytes * MB, carrier),
  }
}

it('breaks off the responses of which nothing was read for the longest, until the others fit', () => {
  const { hold, unread, broken, unreadBytes } = setUp()
  const first = hold('first', 40)
  hold('second', 40)
  hold('third', 40)
  unread.markProgress(first)
  expect(broken).toEqual([])
  hold('fourth', 80)
  expect(broken).toEqual(['second', 'third'])
  expect(unreadBytes()).toBe(120 * MB)
})

it('does not count responses that were closed or read', () => {
  const { hold, unread, broken, unreadBytes } = setUp()
  hold('closed', 100).emit('close')
  unread.release(hold('read', 100))
  hold('kept', 100)
  expect([broken, unreadBytes()]).toEqual([[], 100 * MB])
})

it('does not count a response that is gone, which would never be closed again', () => {
  const { hold, resize, unreadBytes } = setUp()
  const response = hold('gone', 1)
  response.emit('close')
  resize(Object.assign(response, { destroyed: true }), 1)
  expect(unreadBytes()).toBe(0)
})

it('accepts a single response of any size, and breaks off a stream that grows', () => {
  const { hold, resize, broken, unreadBytes } = setUp()
  const large = hold('large', 1000)
  expect(broken).toEqual([])
  large.emit('close')
  const stream = hold('stream', 1)
  hold('other', 100)
  resize(stream, 10)
  expect(broken).toEqual([])
  resize(stream, 50)
  expect([broken, unreadBytes()]).toEqual([['stream'], 100 * MB])
})

it('keeps no listeners of a response that is held and released again and again', () => {
  const { hold, resize, unread } = setUp()
  const response = hold('stream', 1)
  for (let count = 0; count < 20; count++) {
    unread.release(response)
    resize(response, 1)
  }
  expect(response.listenerCount('close')).toBe(1)
})
