import { ERROR_CODES } from '../src/petstore/errors.js'
import { ERROR_DESCRIPTIONS, MOCK_ERROR_DESCRIPTIONS } from './docs-descriptions.js'
import { code, generatedPage, table } from './docs-markdown.js'

/** The page of the codes of responses and of errors that the library throws. */
export function errorsPage(): string {
  return generatedPage(
    'Error codes',
    'the code',
    '## In responses',
    `An error response is \`{ code, message, status }\`, on every path. A failure simulated by a fault rule or requested with
\`Prefer: code=…\` may have any status from 400 to 599, with the matching code.

A [service of your own](services.md) writes the same codes and messages in the shape that its OpenAPI document declares.`,
    table(
      ['Code', 'Status', 'When'],
      Object.entries(ERROR_CODES)
        .sort(([, a], [, b]) => a - b)
        .map(([name, status]) => [
          code(name),
          String(status),
          ERROR_DESCRIPTIONS[name as keyof typeof ERROR_DESCRIPTIONS],
        ]),
    ),
    '## Thrown by the library',
    'Misusing the mock in process throws a `MockError` with a `code` and a message:',
    table(
      ['Code', 'When'],
      Object.entries(MOCK_ERROR_DESCRIPTIONS).map(([name, description]) => [code(name), description]),
    ),
  )
}
