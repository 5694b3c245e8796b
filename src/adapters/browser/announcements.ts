import type { BaseAddresses } from '../../engine/base-address.js'
import type { Contract } from '../../engine/contract/contract.js'
import { findNearMiss } from './near-miss.js'

/** What was printed in this page: each mock of a hot update would print it again. */
const printed = new Set<string>()

/** What a mock prints in the console, each line once. */
export function createAnnouncements(contract: Contract, addresses: BaseAddresses) {
  return {
    started(): void {
      printOnce('info', `petstore-mock handles the requests of this page to ${addresses.text}.`)
    },
    nearMiss(url: string): void {
      const { sentTo, base } = findNearMiss(contract, url, addresses) ?? {}
      if (sentTo === undefined) return
      printOnce(
        'warn',
        `petstore-mock handles requests to ${base}, but this page sends some to ${sentTo}. Is that a mistake?`,
      )
    },
  }
}

function printOnce(level: 'info' | 'warn', text: string): void {
  if (printed.has(text)) return
  printed.add(text)
  console[level](text)
}
