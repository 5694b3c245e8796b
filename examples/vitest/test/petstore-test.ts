import { test as petstoreTest } from 'petstore-mock/vitest'

export const baseUrl = 'https://api.petstore.example'

/** Every test gets a pet store of its own there, and fails when a deprecated operation was used. */
export const test = petstoreTest.extend('petstoreOptions', { baseUrl, failOn: ['deprecated'] })
