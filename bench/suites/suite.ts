import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'

export const BASE = 'http://petstore.test'

/** For variants without a mock. */
export const PET = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }

const TESTS = 300

/** Registers the tests, each with two requests, and measures the processor time of all of them, hooks included. */
export function registerTests(variant: string, register: (title: string) => void): void {
  let before: NodeJS.CpuUsage
  beforeAll(() => {
    before = process.cpuUsage()
  })
  // Registered first, so it runs after all other hooks.
  afterAll(() => {
    const { user, system } = process.cpuUsage(before)
    appendFileSync(process.env.BENCH_FIGURES as string, `${JSON.stringify({ variant, micros: user + system })}\n`)
  })
  for (let number = 1; number <= TESTS; number++) register(`adopts pet ${number}`)
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** The code under test: it reads a pet and creates another one. */
export async function readAndCreate(fetch: Fetch, base: string): Promise<void> {
  const read = await fetch(`${base}/pets/1`)
  const pet = (await read.json()) as { id: number; categoryId: number }
  const created = await fetch(`${base}/pets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ivy', categoryId: pet.categoryId }),
  })
  const { name } = (await created.json()) as { name: string }
  if (read.status !== 200 || pet.id !== 1 || created.status !== 201 || name !== 'Ivy') {
    throw new Error(`The responses are wrong: ${read.status}, ${created.status}.`)
  }
}
