import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseYaml } from '../../src/petstore/yaml.js'

it.each(['openapi', 'admin'])('reads %s.yaml as a full reader does, in the same order', (name) => {
  const text = readFileSync(new URL(`../../spec/${name}.yaml`, import.meta.url), 'utf8')
  expect(JSON.stringify(parseYaml(text))).toBe(JSON.stringify(parse(text)))
})

it.each([
  ['maps in maps', 'a:\n  b:\n    c: 1\n  d: 2\ne: 3\n'],
  ['a key without a value', 'a:\nb: 1\n'],
  ['a quoted key', "'200':\n  description: Fine\n"],
  ['a list under its key', 'a:\n  - 1\n  - two\nb: 3\n'],
  ['a list as far left as its key', 'a:\n- 1\n- two\nb: 3\n'],
  ['a list of maps', 'a:\n  - b: 1\n    c: 2\n  - b: 3\n    d:\n      - 4\n'],
  ['lists in brackets', "a: [x, '-x', 1, true]\nb: []\nc: {}\n"],
  ['plain values', 'a: true\nb: false\nc: -7\nd: 1.5\ne: 3.0.3\nf: 1e\ng: it says:no more\nh: a#b\n'],
  ['quoted values', "a: 'true'\nb: '7'\nc: 'it''s'\nd: ''\n"],
  ['addresses and paths', 'a: https://pets.example/x\n/pets/{petId}:\n  b: 1\n'],
  ['a block of lines', 'a: |\n  one\n\n    two: 2\n  # three\nb: 1\n'],
  ['a folded block', 'a: >-\n  one\n  two\nb: 1\n'],
  ['a block in a list of maps', 'a:\n  - b: |\n      one\n      two\n    c: 1\n'],
  ['comments', '# before\na: 1\n  # between\nb:\n  # below\n  c: 2\n'],
])('reads %s', (_, text) => {
  expect(parseYaml(text)).toEqual(parse(text))
})
