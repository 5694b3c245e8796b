import { describe, expect, it } from 'vitest'
import { suggestPath } from '../../src/engine/admin/handlers.js'
import { withArticle } from '../../src/engine/crud/messages.js'

it.each([
  'an order',
  'an item',
  'an hour',
  'an update',
  'an uninstallation',
  'an API key',
  'an oneiromancer',
  'a pet',
  'a user',
  'a usage record',
  'a unit',
  'a utility',
  'a URL',
  'a UUID',
  'a European country',
  'a one-time code',
])('the article fits how the noun is spoken: %s', (text) => {
  expect(withArticle(text.replace(/^an? /, ''))).toBe(text)
})

describe('the path that was probably meant', () => {
  const paths = [
    '/books',
    '/books/{bookId}',
    '/tasks/{taskId}/tags/{tagId}',
    '/tasks/{taskId}/tags',
    '/orgs/{orgId}/projects/{projectId}/members',
    '/api/v2/shelves/{shelfId}',
    '/{tenant}/things',
  ]

  it.each([
    ['/boks', '/books'],
    ['/book/7', '/books/7'],
    ['/task/1/tag/2', '/tasks/1/tags/2'],
    ['/orgs/1/project/2/member', '/orgs/1/projects/2/members'],
    ['/shelves/3', '/api/v2/shelves/3'],
  ])('of %s is %s', (path, expected) => {
    expect(suggestPath(path.slice(1).split('/'), paths)).toBe(expected)
  })

  it.each([
    '/orders/tags',
    '/users/1/tags/2',
    '/tasks/1/logs',
    '/orgs/1/projects/2/owners',
    '/a/b/c/d/e',
    '/projects/2/members',
    '/things',
  ])('is unknown for %s', (path) => {
    expect(suggestPath(path.slice(1).split('/'), paths)).toBeUndefined()
  })
})
