/**
 * The child of compare-seeds.ts: hashes what the built package answers in every world it is given. Plain JavaScript
 * on the package alone, so that any Node can run it as it is.
 */
import { createHash } from 'node:crypto'
import { createPetstore } from '../dist/index.js'

const ORIGIN = 'http://petstore.test'

/** Every list; then what the machine's language could reorder or fold: names sorted, and searched in either case. */
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

const worlds = JSON.parse(process.argv[2] ?? '[]')
const hashes = []
for (const options of worlds) hashes.push(await hashWorld(options))
const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
console.log(JSON.stringify({ version: process.version, locale, timeZone, hashes }))

/** @param {import('../dist/types/index.js').PetstoreOptions} options */
async function hashWorld(options) {
  const petstore = createPetstore(options)
  await petstore.ready
  const hash = createHash('sha256')
  for (const list of LISTS) {
    let total = 0
    for (let offset = 0; offset === 0 || offset < total; offset += 100) {
      const response = await petstore.fetch(`${ORIGIN}${list}limit=100&offset=${offset}`)
      if (!response.ok) throw new Error(`${list} was answered with ${response.status}: ${await response.text()}`)
      total = Number(response.headers.get('x-total-count'))
      hash.update(`${list}${offset} ${total}\n`)
      hash.update(new Uint8Array(await response.arrayBuffer()))
    }
  }
  return hash.digest('hex')
}
