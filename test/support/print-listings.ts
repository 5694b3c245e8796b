import { createPetstore } from '../../src/index.js'

/** Prints the time zone and locale of this process, and the lists that a seed gives there. */
const petstore = createPetstore({ seed: Number(process.argv[2]) })
await petstore.ready

const listings: string[] = []
for (const path of [
  ...['/pets?limit=100', '/categories?limit=100', '/store/inventory?limit=100', '/store/orders?limit=100'],
  ...['/store/orders?limit=100&offset=100', '/pets?limit=100&sort=name&name=i', '/store/orders?sort=-shipDate'],
]) {
  const response = await petstore.fetch(path)
  listings.push(`${response.status} ${response.headers.get('link')} ${await response.text()}`)
}

const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
process.stdout.write(JSON.stringify({ timeZone, locale, listings }))
