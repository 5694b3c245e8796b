import { normalize, wordsOf } from '../../document/resources/names.js'
import { isValid } from '../../document/sample/fit-value.js'
import { BEGAN, ENDED, PROGRESS } from '../../document/words/jobs.js'
import { TIME } from '../../document/words/times.js'
import { collectionOf } from '../crud/find.js'
import type { ResourceContext } from '../crud/handler.js'
import type { ValueMaker } from '../crud/make-values.js'
import type { StoredRecord } from '../resources/additions.js'
import { STARTED } from '../resources/record-forms.js'
import type { Field, ServiceResource } from '../resources/service-resource.js'

/** How long after its beginning a job is worked on, and done, in milliseconds by the mock's clock. */
const WORKING_AFTER_MS = 1000
const DONE_AFTER_MS = 3000

/** Jobs that go on by themselves. Undefined for records that are no jobs. */
export function createJobs(resource: ServiceResource, maker: ValueMaker | undefined) {
  const { job, fields } = resource
  const field = fields.find(({ property }) => property === job?.property)
  if (job === undefined || field === undefined) return undefined
  const { waiting, working, done } = job
  const first = waiting ?? working

  /** Values for the times whose names have one of these words. */
  function timesNamed(pattern: RegExp, at: number) {
    const isTime = ({ property }: Field) => {
      const words = wordsOf(property)
      return words.some((word) => pattern.test(word)) && TIME.test(words.at(-1) ?? '')
    }
    return fields.filter(isTime).map(({ stored, schema }) => [stored, maker?.toTime(schema, at)])
  }

  function changesTo(state: string, startedAt: number): object {
    const began = timesNamed(BEGAN, startedAt + WORKING_AFTER_MS)
    if (state !== done) return Object.fromEntries(began)
    const ended = timesNamed(ENDED, startedAt + DONE_AFTER_MS)
    const progress = fields.flatMap(({ property, stored, schema }) =>
      PROGRESS.test(normalize(property)) && isValid(schema, 100) ? [[stored, 100]] : [],
    )
    return { ...Object.fromEntries([...began, ...ended, ...progress]), [STARTED]: undefined }
  }

  return {
    /** A new record, as a job that begins now. */
    start(record: StoredRecord, at: number): StoredRecord {
      return { ...record, [field.stored]: first, [STARTED]: at }
    },
    /** Lets the jobs go on until now. One whose state was changed stays in it. */
    advance({ store, at }: Pick<ResourceContext, 'store' | 'at'>): void {
      const collection = collectionOf(store, resource)
      for (const record of [...collection.select({ group: { by: STARTED as never, value: 'yes' } })]) {
        const startedAt = Number(record[STARTED])
        const elapsed = at - startedAt
        const state = elapsed < WORKING_AFTER_MS ? first : elapsed < DONE_AFTER_MS ? working : done
        const current = record[field.stored]
        if (current !== first && current !== working) collection.replace({ ...record, [STARTED]: undefined })
        else if (current !== state)
          collection.replace({ ...record, [field.stored]: state, ...changesTo(state, startedAt) })
      }
    },
  }
}
