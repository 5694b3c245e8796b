import { useState } from 'preact/hooks'
import type { Admin, ApiFailure } from '../api.js'
import { Code } from '../components/display.js'
import { Field } from '../components/field.js'
import { Form } from '../components/form.js'
import type { Check, Values } from '../components/problems.js'
import { FAULT_RULE } from '../constraints.js'
import { prettyJson } from '../pretty-json.js'
import { toProblem } from '../rejections.js'
import { checkHeaders } from './fields.js'
import { checkMatch } from './match.js'
import { hasDelay, hasError, hasHeaders, KINDS, needsDelay } from './rule.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export const HEADERS = {
  name: 'headers',
  label: 'Headers',
  rows: 2,
  placeholder: 'Retry-After: 2',
  check: checkHeaders,
} as const
export const MATCH = {
  name: 'match',
  label: 'Match (JSON)',
  rows: 2,
  placeholder: '{"query":{"status":"sold"}}',
  check: checkMatch,
} as const

interface RuleFormProps {
  submit: string
  /** What the fields start with. */
  start: Values
  operations: readonly Admin['OperationCoverage'][]
  /** The label of the preview. */
  preview: string
  /** The request body. Throws if a text cannot be read. */
  toBody: (values: Values) => object
  save: (body: object) => Promise<unknown>
  /** The notification after it was saved. */
  notice: string
  /** For a form in a dialog: called after it was saved, and to cancel. */
  onClose?: () => void
}

/** Hidden at first, unless the rule has one. */
const MORE_FIELDS = ['method', 'path', 'match', 'headers', 'code', 'message', 'after', 'probability', 'expiresAfterMs']

export function RuleForm({ submit, start, operations, preview, toBody, save, notice, onClose }: RuleFormProps) {
  const [values, setValues] = useState(start)
  const { kind, operation } = values
  const body = () => toBody(values)
  const value = (name: string) => ({ name, defaultValue: values[name] })
  const text = (name: keyof typeof FAULT_RULE) => ({ ...value(name), ...FAULT_RULE[name] })
  // A rule that is edited may be shown before the operations are loaded.
  const choices = new Set([...(operation ? [operation] : []), ...operations.map((each) => each.operation)])

  return (
    <Form
      submit={submit}
      explain={(failure) => explain(failure, values)}
      // Keeps the values of the fields that the current kind of fault does not have.
      onInput={(changed: Values) => setValues({ ...values, ...changed })}
      onSubmit={async (_, run) => {
        if (await run(async () => save(body()), { notice })) onClose?.()
      }}
      onCancel={onClose}
    >
      <div class="grid">
        <Field label="Operation" options={[['', 'Any operation'], ...choices]} {...value('operation')} />
        <Field label="Fault" options={KINDS} {...value('kind')} />
        {hasError(kind) && <Field label="Status" {...text('status')} />}
        {hasDelay(kind) && (
          <>
            <Field
              label="Delay (ms)"
              placeholder={needsDelay(kind) ? 'such as 2000' : 'none'}
              required={needsDelay(kind)}
              {...text('delayMs')}
            />
            <Field label="Maximum delay (ms)" placeholder="same as delay" {...text('maxDelayMs')} />
          </>
        )}
        <Field label="Times" placeholder="unlimited" {...text('times')} />
      </div>
      <details open={MORE_FIELDS.some((name) => start[name])}>
        <summary>More: method, path, match, headers, code, probability, expiry</summary>
        <div class="grid">
          <Field
            label="Method"
            options={[['', 'Any method'], ...METHODS]}
            check={checkMethod(operations)}
            {...value('method')}
          />
          <Field label="Path" placeholder="/path*" {...text('path')} />
          <Field {...MATCH} {...value('match')} />
          {hasHeaders(kind) && <Field {...HEADERS} {...value('headers')} />}
          {hasError(kind) && (
            <>
              <Field label="Code" placeholder="from the status" {...text('code')} />
              <Field label="Message" placeholder="from the status" {...text('message')} />
            </>
          )}
          <Field label="Skip first" placeholder="0" {...text('after')} />
          <Field label="Probability (0–1)" placeholder="1" {...text('probability')} />
          <Field label="Expires after (ms)" placeholder="never" {...text('expiresAfterMs')} />
        </div>
      </details>
      <Preview label={preview} body={body} />
    </Form>
  )
}

/** The path is the most likely reason for this code: the form checks most of the others. */
function explain(failure: ApiFailure, { path }: Values) {
  return toProblem(failure, path ? { INVALID_FAULT: ['path', NO_SUCH_PATH] } : {})
}

const NO_SUCH_PATH = 'no operation has this path, or not the operation and method that are chosen. Change one of them.'

const checkMethod =
  (operations: RuleFormProps['operations']): Check =>
  (method, values) => {
    const used = operations.find(({ operation }) => operation === values.operation)?.method
    const sent = method === 'HEAD' ? 'GET' : method
    return used === undefined || used === sent ? undefined : `choose ${used}, the method of ${values.operation}.`
  }

function Preview({ label, body }: { label: string; body: () => object }) {
  let text: string
  try {
    text = prettyJson(body())
  } catch {
    // While typing. The form shows the reason if it is sent.
    text = '(no preview: the match is not valid JSON)'
  }
  return (
    <div class="field">
      <span class="hint">{label}</span>
      <Code label={label} text={text} json />
    </div>
  )
}
