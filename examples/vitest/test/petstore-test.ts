import { test as petstoreTest } from 'petstore-mock/vitest'

export const baseUrl = 'https://api.petstore.example'

/** Gives every test its own mock at `baseUrl`, and fails a test that uses a deprecated operation. */
export const test = petstoreTest.extend('petstoreOptions', { baseUrl, failOn: ['deprecated'] })
