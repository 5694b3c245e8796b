import { buildCommand } from '../../scripts/bundle.js'

/** Builds the command once per run, for the tests that start it in its own process. */
export async function setup(): Promise<void> {
  await buildCommand()
}
