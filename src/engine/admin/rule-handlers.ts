import { withoutUndefined } from '../../lib/without-undefined.js'
import { apiError } from '../contract/errors.js'
import { withLinearMatch } from '../control/linear-match.js'
import { type AdminHandlers, NO_CONTENT } from './handler.js'

/** Faults and overrides. */
export const ruleHandlers = {
  listFaults: ({ target: { instance } }) => ({ status: 200, body: instance.faults.list() }),
  addFault: ({ target: { instance }, body }) => ({
    status: 201,
    body: instance.faults.add(withLinearMatch(body) as never),
  }),
  clearFaults({ target: { instance } }) {
    instance.faults.clear()
    return NO_CONTENT
  },
  updateFault: ({ target: { instance }, path, body }) => ({
    status: 200,
    body: instance.faults.update(path.id, withLinearMatch(body) as never),
  }),
  removeFault({ target: { instance }, path }) {
    instance.faults.remove(path.id)
    return NO_CONTENT
  },

  listOverrides: ({ target: { instance } }) => ({ status: 200, body: instance.overrides.list() }),
  addOverride({ target: { instance }, body: { operation, times, match, unchecked, raw, sequence, ...response } }) {
    if (sequence === undefined && response.status === undefined) {
      throw apiError('INVALID_REQUEST', '/status is missing, or /sequence')
    }
    const [unused] = sequence === undefined ? [] : Object.keys(response)
    if (unused !== undefined) throw apiError('INVALID_REQUEST', `/${unused} has no effect beside /sequence`)
    const options = withLinearMatch({ times, match, unchecked, raw })
    const override = instance.override(operation, (sequence ?? response) as never, withoutUndefined(options))
    return { status: 201, body: override }
  },
  clearOverrides({ target: { instance } }) {
    instance.overrides.clear()
    return NO_CONTENT
  },
  removeOverride({ target: { instance }, path }) {
    instance.overrides.remove(path.id)
    return NO_CONTENT
  },
} satisfies Partial<AdminHandlers>
