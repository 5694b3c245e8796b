import * as check from '../../src/engine/data/check.js'
import type { AnyFixture } from '../../src/engine/data/format.js'
import * as write from '../../src/engine/data/write.js'
import type { Fixture } from '../../src/petstore/fixtures/format.js'
import { petstoreService } from '../../src/petstore/service.js'

/* The engine's functions for fixtures, for those of the Pet Store. */

const { fixtureFormat } = petstoreService

export function formatFixture(fixture: Fixture): string {
  return write.formatFixture(fixture as object as AnyFixture, fixtureFormat.resources)
}

export function formatFixtureAsYaml(fixture: Fixture): string {
  return write.formatFixtureAsYaml(fixture as object as AnyFixture, fixtureFormat.resources)
}

export function findFixtureProblems(fixture: unknown, rules: 'on' | 'off') {
  return check.findFixtureProblems(fixture, fixtureFormat, rules)
}
