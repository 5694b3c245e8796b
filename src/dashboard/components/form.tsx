import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact'
import { useContext, useEffect, useId, useRef } from 'preact/hooks'
import { type Run, useAction } from '../action.js'
import type { ApiFailure } from '../api.js'
import { Alert, Button } from './display.js'

/** The values of a form's fields by name, as text. */
export type Values = Readonly<Record<string, string>>

function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries(new FormData(form)) as Values
}

/** The field that the mock rejected, and the id of the message. */
const RejectedField = createContext<{ name?: string | undefined; alertId?: string }>({})

interface FormProps {
  /** The label of the submit button. */
  submit: string
  /** Puts the fields and the button in a row. */
  inline?: boolean
  /** A failure besides that of `run`. */
  failure?: ApiFailure | undefined
  /** Wrap the request in `run`, and the form shows its failure. */
  onSubmit: (values: Values, run: Run, form: HTMLFormElement) => void
  onInput?: (values: Values) => void
  onCancel?: (() => void) | undefined
  children?: ComponentChildren
}

/** A form that the browser validates. A failure is shown above the submit button. Focus moves to the rejected field, or to the message. */
export function Form({ submit, inline = false, onSubmit, onInput, onCancel, children, ...props }: FormProps) {
  const action = useAction()
  const failure = action.failure ?? props.failure
  const ref = useRef<HTMLFormElement>(null)
  const alertId = useId()
  useEffect(() => {
    if (failure === undefined) return
    const field = failure.field === undefined ? null : ref.current?.elements.namedItem(failure.field)
    const alert = ref.current?.querySelector<HTMLElement>('[role=alert]')
    const target = field instanceof HTMLElement ? field : alert
    const details = target?.closest('details')
    if (details) details.open = true
    target?.focus()
    alert?.scrollIntoView({ block: 'nearest' })
  }, [failure])
  return (
    <form
      ref={ref}
      class={inline ? 'inline' : ''}
      onInput={(event) => onInput?.(readValues(event.currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(readValues(event.currentTarget), action.run, event.currentTarget)
      }}
    >
      <RejectedField.Provider value={{ name: failure?.field, alertId }}>{children}</RejectedField.Provider>
      <Alert id={alertId} failure={failure} />
      <div class={onCancel ? 'actions end' : 'actions'}>
        {onCancel && <Button text="Cancel" kind="regular" onClick={onCancel} />}
        <button type="submit" class={inline ? 'button' : 'button primary'} disabled={action.busy}>
          {submit}
        </button>
      </div>
    </form>
  )
}

/** Fields that apply as they change. */
export function Filters({ onInput, children }: { onInput: (values: Values) => void; children: ComponentChildren }) {
  return (
    <search>
      <form
        class="filters"
        onInput={(event) => onInput(readValues(event.currentTarget))}
        onSubmit={(event) => event.preventDefault()}
      >
        {children}
      </form>
    </search>
  )
}

/** What the browser expects of a value, and checks before a form is sent. `title` is part of its message. */
export type Constraints = Pick<
  InputHTMLAttributes,
  'type' | 'required' | 'inputMode' | 'placeholder' | 'min' | 'max' | 'step' | 'maxLength' | 'pattern' | 'title'
>

/** A value, or a value and its label. */
export type Option = string | readonly [value: string, label: string]

interface FieldProps extends Constraints {
  name: string
  label: string
  /** For a field that the caller controls. */
  value?: string
  defaultValue?: string | undefined
  /** The values to choose from. Without them, it is a text field. */
  options?: readonly Option[] | undefined
  /** Suggestions for a text field; other values can be typed. */
  suggestions?: readonly Option[] | undefined
  /** The height of a text field with several lines. */
  rows?: number
}

const TEXT = { autocomplete: 'off', spellcheck: false } as const

export function Field({ name, label, options, suggestions, rows, type = 'text', ...input }: FieldProps) {
  const id = useId()
  const listId = suggestions && `${id}-list`
  const rejected = useContext(RejectedField)
  const isRejected = name === rejected.name
  const shared = {
    id,
    name,
    'aria-invalid': isRejected || undefined,
    'aria-describedby': isRejected ? rejected.alertId : undefined,
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options ? (
        <select {...shared} value={input.value} required={input.required}>
          <Options options={options} selected={input.defaultValue} />
        </select>
      ) : rows ? (
        <textarea {...shared} rows={rows} {...TEXT} placeholder={input.placeholder} defaultValue={input.defaultValue} />
      ) : (
        // Preact's types allow `list` for some types of inputs only.
        <input {...shared} {...input} type={type as 'text'} list={listId} {...TEXT} />
      )}
      {suggestions && (
        <datalist id={listId}>
          <Options options={suggestions} />
        </datalist>
      )}
    </div>
  )
}

function Options({ options, selected = '' }: { options: readonly Option[]; selected?: string | undefined }) {
  return options.map((option) => {
    const [value, label] = typeof option === 'string' ? [option, option] : option
    return (
      <option key={value} value={value} selected={value === selected}>
        {label}
      </option>
    )
  })
}
