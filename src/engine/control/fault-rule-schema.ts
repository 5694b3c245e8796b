import type { Validate } from '../contract/validators.js'
import { describeViolation } from '../contract/violations.js'
import { validators } from './generated/fault-rule-validator.js'

/** How a value violates the schema of a fault rule, each in one sentence that starts with a JSON pointer. */
export function findFaultRuleViolations(rule: unknown): string[] {
  const validate = validators.schemas.FaultRule as Validate
  if (validate(rule)) return []
  return (validate.errors ?? []).map((error) => describeViolation(error, (pointer) => pointer || 'the rule'))
}
