import { expect, it } from 'vitest'
import { importMsw } from '../../src/adapters/node/import-msw.js'

const failing = (code: string, message: string) =>
  importMsw(() => Promise.reject(Object.assign(new Error(message), { code })))

it.each([
  ['ERR_MODULE_NOT_FOUND', "Cannot find package 'msw' imported from /app/node.js"],
  ['MODULE_NOT_FOUND', "Cannot find module 'msw/node' from 'node_modules/petstore-mock/dist/node.js'"],
])('says what to install if msw is missing: %s, %s', async (code, message) => {
  await expect(failing(code, message)).rejects.toMatchObject({
    code: 'UNSUPPORTED_MSW',
    message: expect.stringContaining('npm install --save-dev msw'),
  })
})

it.each([
  ['ERR_MODULE_NOT_FOUND', "Cannot find package 'graphql' imported from /app/node_modules/msw/index.js"],
  ['ERR_OTHER', "Cannot use 'msw'"],
])('does not hide other errors: %s, %s', async (code, message) => {
  await expect(failing(code, message)).rejects.toThrow(message)
})
