import type { Validate } from '../../document/validate/validators.js'
import { describeViolation } from '../../document/validate/violations.js'
import type { RecordedControl, RecordedExchange, Reproduction } from '../../engine/log/reproduction.js'
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import { validators } from '../../generated/engine/log/reproduction-validators.js'
import { quote } from '../../lib/text.js'
import { isPlainObject } from '../../lib/values.js'

/** A file that cannot be replayed. The message is a sentence. */
export class NotReplayable extends Error {}

/** Checks the JSON of a reproduction. Throws NotReplayable, and MockError if its options are invalid. */
export function readReproduction<T extends ServiceTypes>(
  value: unknown,
  { specHash, resolveOptions }: ServiceDefinition<T>,
): Reproduction {
  const { version, petstoreMock, specHash: hash, document } = isPlainObject(value) ? value : {}
  if (version === undefined || petstoreMock === undefined)
    throw new NotReplayable('Not a reproduction of petstore-mock.')
  if (version !== 1) {
    throw new NotReplayable(`Written in version ${show(version)} of the format. This petstore-mock reads version 1.`)
  }
  if (hash !== specHash) {
    throw new NotReplayable(
      `Recorded by petstore-mock ${show(petstoreMock)} with another OpenAPI document${nameOf(document)}: its hash is ${show(hash)}, not "${specHash}". Name that document with --document or --service.`,
    )
  }
  const validate = validators.schemas.Reproduction as Validate
  validate(value)
  const [error] = validate.errors ?? []
  if (error) throw new NotReplayable(`Not a valid reproduction: ${describeViolation(error, (pointer) => pointer)}.`)
  const reproduction = value as Reproduction
  const unclear = reproduction.steps.findIndex((step) => 'request' in step === 'control' in step)
  if (unclear >= 0) throw new NotReplayable(`Not a valid reproduction: /steps/${unclear} must have request or control.`)
  for (const [index, step] of reproduction.steps.entries()) {
    if ('request' in step) checkBodies(step, `/steps/${index}`)
    else checkSequence(step, `/steps/${index}`)
  }
  // A file that was received must not choose how a server is reached.
  resolveOptions(startingOptions(reproduction))
  return reproduction
}

/** A body that is not Base64 could be anything, in code as well. */
function checkBodies({ request, response }: RecordedExchange, pointer: string): void {
  for (const [name, message] of Object.entries({ request, response })) {
    if (message?.isBase64 && !/^[A-Za-z0-9+/]*={0,2}$/.test(message.body ?? '')) {
      throw new NotReplayable(`Not a valid reproduction: ${pointer}/${name}/body must be Base64.`)
    }
  }
}

/** The mock checks everything else of a rule. A sequence is also read where a rule is written as code. */
function checkSequence({ control: { body }, isFunction }: RecordedControl, pointer: string): void {
  const { sequence = [] } = isPlainObject(body) ? body : {}
  // JSON has null in place of a function.
  const isStep = (step: unknown) => step === 'pass' || isFunction || (isPlainObject(step) && !('sequence' in step))
  if (!Array.isArray(sequence) || !sequence.every(isStep)) {
    throw new NotReplayable(
      `Not a valid reproduction: ${pointer}/control/body/sequence must be a list of objects and "pass".`,
    )
  }
}

/** What it says about itself. */
function nameOf(document: unknown): string {
  const { title, version } = isPlainObject(document) ? document : {}
  return typeof title === 'string' ? `, ${quote(title)}${typeof version === 'string' ? ` ${version}` : ''}` : ''
}

function show(value: unknown): string {
  return typeof value === 'string' ? quote(value) : String(value)
}

/** The options of a mock that starts where the reproduction started. */
export function startingOptions<T extends ServiceTypes>({ options, start }: Reproduction): T['options'] {
  const { state, ...generated } = start
  if (state === undefined) return { ...options, ...generated }
  return { ...options, seed: start.seed, fixtures: state }
}
