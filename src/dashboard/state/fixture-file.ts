import { parseJson } from '../../lib/json.js'
import { ApiFailure } from '../api.js'

const YAML = /\.ya?ml$/i

/** The types of files that `readFixture` reads, for a file field. */
export const FIXTURE_FILES = 'application/json,.json,.yaml,.yml'

/** The content of a fixture file. Its name says whether it is JSON or YAML. */
export async function readFixture(file: File): Promise<unknown> {
  const text = await file.text()
  return YAML.test(file.name) ? parseYamlFile(file.name, text) : parseJsonFile(file.name, text)
}

function parseJsonFile(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new ApiFailure('NOT_JSON', `${name} is not JSON: ${(error as Error).message}`)
  }
}

/** The parser is as large as the rest of the dashboard, so it is loaded only for a YAML file. */
async function parseYamlFile(name: string, text: string): Promise<unknown> {
  const { parseYaml, YamlError } = await import('../../lib/yaml.js').catch(() => {
    throw new ApiFailure('NO_YAML_PARSER', `${name} was not read: the page could not load its YAML parser. Try again.`)
  })
  try {
    return parseYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    throw new ApiFailure('NOT_YAML', `${name}: ${error.message}`)
  }
}
