import { drop, factory, primaryKey } from '@mswjs/data'
import type { Fixture } from '../src/index.js'

/** A database of pets as @mswjs/data comes, for comparison. */
export function createStockDatabase() {
  return factory({ pet: { id: primaryKey(String), name: String, status: String } })
}

type StockDatabase = ReturnType<typeof createStockDatabase>

export function seedStockDatabase(database: StockDatabase, pets: Fixture['pets']): void {
  for (const { id, name, status = '' } of pets) database.pet.create({ id: String(id), name, status })
}

/** The usual way to go back. */
export function reseedStockDatabase(database: StockDatabase, pets: Fixture['pets']): void {
  drop(database)
  seedStockDatabase(database, pets)
}
