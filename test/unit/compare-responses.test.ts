import { expect, it } from 'vitest'
import { compareResponses } from '../../src/tools/replay/compare-responses.js'

it.each(['constructor', '__proto__'])('compares headers with the name of a member of every object: %s', (name) => {
  const recorded = { status: 200, headers: JSON.parse(`{"${name}":"x"}`) }
  const received = { status: 200, headers: {} }
  const noted: string[][] = []
  compareResponses(
    recorded,
    received,
    () => true,
    (...difference) => void noted.push(difference),
  )
  compareResponses(
    received,
    recorded,
    () => true,
    (...difference) => void noted.push(difference),
  )
  expect(noted).toEqual([
    [`header ${name}`, 'x', 'no such header'],
    [`header ${name}`, 'no such header', 'x'],
  ])
})
