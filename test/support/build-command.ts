import { buildCommand } from '../../scripts/command.js'

/** Builds the command once per run, for the tests that start it in its own process. `CI_BUILT` says that it is built. */
export async function setup(): Promise<void> {
  if (!process.env.CI_BUILT) await buildCommand()
}
