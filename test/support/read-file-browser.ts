import { commands } from 'vitest/browser'

export function readText(path: string): Promise<string> {
  return commands.readFile(path, 'utf8')
}
