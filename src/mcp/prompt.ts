import { describeUnknown, MockError } from '../engine/contract/errors.js'

const NAME = 'test-client'

export const PROMPTS = [
  {
    name: NAME,
    title: 'Write tests for my client of this service',
    description: 'Write tests for code that calls the service, with failures, and find its bugs.',
    arguments: [
      { name: 'code', description: 'The file of the client.' },
      { name: 'runner', description: 'The test runner. Default is the one that the project has.' },
    ],
  },
] as const

interface PromptRequest {
  readonly name: string
  readonly arguments?: Readonly<Record<string, string>> | undefined
}

export function findPrompt({ name, arguments: args = {} }: PromptRequest, mock: { title: string; baseUrl: string }) {
  if (name !== NAME) throw new MockError('INVALID_REQUEST', describeUnknown('prompt', name, [NAME]))
  const { code = 'my client', runner = 'the test runner of the project' } = args
  const text = [
    `Write tests with ${runner} for ${code}, which calls ${mock.title}. Run it against the mock at ${mock.baseUrl}.`,
    '',
    '1. Read the client, and call describe_service for the operations that it uses.',
    '2. For each of them, arrange data with change_data, run the client, and compare what requests shows with what the',
    '   operation expects. A request with violations is a bug of the client.',
    '3. Test what happens when the service fails: simulate errors, delays, broken connections and invalid responses.',
    '4. Test dates by moving the clock, and call reset before each test.',
    '5. For each bug, call save_reproduction, and say what the client did and what it should do.',
  ].join('\n')
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}
