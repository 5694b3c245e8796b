import { parseYaml } from '../../lib/yaml.js'
import { MockError } from '../contract/errors.js'

export async function loadDocument(file: string): Promise<object> {
  const fs = process.getBuiltinModule('node:fs/promises')
  const text = await fs.readFile(file, 'utf8')
  const value = text.trimStart().startsWith('{') ? JSON.parse(text) : parseYaml(text)
  if (typeof value === 'object' && value !== null) return value
  throw new MockError('INVALID_DOCUMENT', 'not')
}
