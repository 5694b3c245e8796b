/**
 * The child process of compare-seeds.ts: hashes the responses of the built package for each of the given options.
 * Plain JavaScript, so that any version of Node can run it.
 */
import { createHash } from 'node:crypto'
import { createPetstore } from '../dist/index.js'

const ORIGIN = 'http://petstore.test'

/** Every list, and the sorts and searches that could depend on the language of the system. */
const LISTS = [
  '/categories?',
  '/pets?',
  '/store/inventory?',
  '/store/orders?',
  '/pets?sort=name&',
  '/categories?sort=-name&',
  '/store/orders?sort=shipDate&',
  '/pets?name=I&',
]

const optionsOfAll = JSON.parse(process.argv[2] ?? '[]')
const hashes = []
for (const options of optionsOfAll) hashes.push(await hashState(options))
const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
console.log(JSON.stringify({ version: process.version, locale, timeZone, hashes }))

/** @param {import('../dist/types/index.js').PetstoreOptions} options */
async function hashState(options) {
  const petstore = createPetstore(options)
  await petstore.ready
  const hash = createHash('sha256')
  for (const list of LISTS) {
    let total = 0
    for (let offset = 0; offset === 0 || offset < total; offset += 100) {
      const response = await petstore.fetch(`${ORIGIN}${list}limit=100&offset=${offset}`)
      if (!response.ok) throw new Error(`${list} returned ${response.status}: ${await response.text()}`)
      total = Number(response.headers.get('x-total-count'))
      hash.update(`${list}${offset} ${total}\n`)
      hash.update(new Uint8Array(await response.arrayBuffer()))
    }
  }
  return hash.digest('hex')
}
