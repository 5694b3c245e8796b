import { toJson } from './client.js'

/**
 * Runs a check for each case of a table within one test, so that the cases can share a mock. A failure names its case.
 */
export async function forEachCase<Case>(cases: readonly Case[], check: (each: Case) => unknown): Promise<void> {
  if (cases.length === 0) throw new Error('The table has no cases.')
  for (const each of cases) {
    try {
      await check(each)
    } catch (error) {
      if (error instanceof Error) error.message = `Case ${nameOf(each)}: ${error.message}`
      throw error
    }
  }
}

const MAX_NAME_LENGTH = 300

function nameOf(each: unknown): string {
  return (typeof each === 'string' ? each : (toJson(each) ?? String(each))).slice(0, MAX_NAME_LENGTH)
}
