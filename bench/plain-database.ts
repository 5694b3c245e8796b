import { drop, factory, primaryKey } from '@mswjs/data'
import type { Fixture } from '../src/index.js'

/** A database of pets with unmodified @mswjs/data, for comparison. */
export function createPlainDatabase() {
  return factory({ pet: { id: primaryKey(String), name: String, status: String } })
}

type PlainDatabase = ReturnType<typeof createPlainDatabase>

export function seedPlainDatabase(database: PlainDatabase, pets: Fixture['pets']): void {
  for (const { id, name, status = '' } of pets) database.pet.create({ id: String(id), name, status })
}

/** The usual way to reset it. */
export function reseedPlainDatabase(database: PlainDatabase, pets: Fixture['pets']): void {
  drop(database)
  seedPlainDatabase(database, pets)
}
