import { useState } from 'preact/hooks'
import type { ApiFailure } from '../api.js'
import { Code } from '../components/display.js'
import { Field, Form, type Problem, type Values } from '../components/form.js'
import { prettyJson } from '../format.js'
import type { RuleField } from './rule-fields.js'

export interface RuleFormProps {
  /** The label of the submit button. */
  submit: string
  /** What the fields start with. */
  start: Values
  /** The fields, which may depend on what is chosen in others. */
  fields: (values: Values) => readonly RuleField[]
  /** Names the fields that are hidden at first, unless the rule has one. */
  more: string
  /** What a failure says about a field. */
  explain: (failure: ApiFailure) => Problem | undefined
  /** The request body. Throws if a text cannot be read. */
  toBody: (values: Values) => object
  /** The label of a preview of the request body. */
  preview?: string | undefined
  save: (body: object) => Promise<unknown>
  /** The notification after it was saved. */
  notice: string
  /** For a form in a dialog: called after it was saved, and to cancel. */
  onClose?: () => void
}

export function RuleForm(props: RuleFormProps) {
  const { start, toBody, preview, onClose } = props
  const [values, setValues] = useState(start)
  const fields = props.fields(values)
  const more = fields.filter(({ isMore }) => isMore)
  const shown = fields.filter(({ isMore }) => !isMore)
  const [isOpen] = useState(more.some(({ name }) => start[name]))
  return (
    <Form
      submit={props.submit}
      explain={props.explain}
      // Keeps the values of the fields that the current kind of fault does not have.
      onInput={(changed) => setValues({ ...values, ...changed })}
      onSubmit={async (sent, run) => {
        if (await run(async () => props.save(toBody(sent)), { notice: props.notice })) onClose?.()
      }}
      onCancel={onClose}
    >
      <Fields fields={shown.filter(({ valueType }) => valueType !== 'boolean')} values={values} />
      {shown.map(
        ({ valueType, name, label }) =>
          valueType === 'boolean' && (
            <label key={name}>
              <input type="checkbox" name={name} value="true" defaultChecked={start[name] === 'true'} /> {label}
            </label>
          ),
      )}
      <details open={isOpen}>
        <summary>More: {props.more}</summary>
        <Fields fields={more} values={values} />
      </details>
      {preview && <Preview label={preview} body={() => toBody(values)} />}
    </Form>
  )
}

function Fields({ fields, values }: { fields: readonly RuleField[]; values: Values }) {
  return (
    <div class="grid">
      {fields.map(({ valueType, isMore, ...field }) => (
        <Field key={field.name} {...field} defaultValue={values[field.name]} />
      ))}
    </div>
  )
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
