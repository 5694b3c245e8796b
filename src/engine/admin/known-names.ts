import type { OperationValidators, Validate, Validators, Violation } from '../contract/validators.js'

/** The names that requests to the admin API of a service may contain. */
export interface KnownNames {
  /** The fields of a reset. */
  readonly reset: readonly string[]
  /** The fields of a state. */
  readonly state: readonly string[]
  /** The query parameters of a list of records, and those of them that are filters. */
  readonly query: readonly string[]
  readonly filters: readonly string[]
}

/** Validators that reject all other names. Those of `spec/admin.yaml` know no collections and filters. */
export function rejectUnknownNames(
  { operations, schemas }: Validators,
  { reset, state, query, filters }: KnownNames,
): Validators {
  const { resetMock, replaceState, listRecords } = operations
  // The list operation of the service checks the filters.
  const checked = query.filter((name) => !filters.includes(name))
  return {
    schemas,
    operations: {
      ...operations,
      resetMock: replaceAt(0, resetMock, (validate) => rejectOthers(validate, 'requestBody', reset)),
      replaceState: replaceAt(0, replaceState, (validate) => rejectOthers(validate, 'requestBody', state)),
      listRecords: replaceAt(-1, listRecords, (validate) => rejectOthers(validate, 'query', query, checked)),
    },
  }
}

function replaceAt(
  index: number,
  { request, responses }: OperationValidators = { request: [], responses: {} },
  change: (validate: Validate) => Validate,
): OperationValidators {
  return { responses, request: request.with(index, change(request.at(index) as Validate)) }
}

type Json = Readonly<Record<string, unknown>>

/** Only the `checked` members of the object at `place` are checked further. */
function rejectOthers(
  validate: Validate,
  place: string,
  known: readonly string[],
  checked: readonly string[] = known,
): Validate {
  const parentSchema = { properties: Object.fromEntries(known.map((name) => [name, {}])) }
  const closed: Validate = (value) => {
    const data = (value as Json)[place]
    const members = typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.entries(data) : undefined
    const unknown = (members ?? []).flatMap(([additionalProperty]): Violation[] =>
      known.includes(additionalProperty)
        ? []
        : [
            {
              instancePath: `/${place}`,
              keyword: 'additionalProperties',
              params: { additionalProperty },
              parentSchema,
              data,
            },
          ],
    )
    const rest = members ? Object.fromEntries(members.filter(([name]) => checked.includes(name))) : data
    const others = validate({ ...(value as Json), [place]: rest }) ? [] : (validate.errors ?? [])
    closed.errors = [...unknown, ...others]
    return closed.errors.length === 0
  }
  return closed
}
