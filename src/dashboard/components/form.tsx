import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useRef } from 'preact/hooks'
import type { Action } from '../context.js'
import { Alert, Button } from './display.js'

/** The values of a form's fields by name, as text. */
export type Values = Readonly<Record<string, string>>

function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries(new FormData(form)) as Values
}

/** The field that the mock rejected, and the id of the message. */
const RejectedField = createContext<{ readonly name?: string | undefined; readonly alertId?: string }>({})

export interface FormProps {
  readonly action: Pick<Action, 'busy' | 'failure'>
  /** The label of the submit button. */
  readonly submit: string
  /** Puts the fields and the button in a row. */
  readonly inline?: boolean
  readonly onSubmit: (values: Values, form: HTMLFormElement) => void
  readonly onInput?: (values: Values) => void
  readonly onCancel?: () => void
  readonly children: ComponentChildren
}

/** A form that the browser validates. A failure is shown at the submit button and gets the focus, or its field does. */
export function Form({ action, submit, inline = false, onSubmit, onInput, onCancel, children }: FormProps) {
  const { busy, failure } = action
  const ref = useRef<HTMLFormElement>(null)
  const alertId = useId()
  useEffect(() => {
    if (failure === undefined) return
    const field = failure.field === undefined ? null : ref.current?.elements.namedItem(failure.field)
    const target = field instanceof HTMLElement ? field : ref.current?.querySelector<HTMLElement>('[role=alert]')
    target?.focus()
  }, [failure])
  return (
    <form
      ref={ref}
      class={inline ? 'inline' : ''}
      onInput={(event) => onInput?.(readValues(event.currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(readValues(event.currentTarget), event.currentTarget)
      }}
    >
      <RejectedField.Provider value={{ name: failure?.field, alertId }}>{children}</RejectedField.Provider>
      <Alert id={alertId} failure={failure} />
      <div class={onCancel ? 'actions end' : 'actions'}>
        {onCancel && (
          <Button kind="regular" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <button type="submit" class={inline ? 'button' : 'button primary'} disabled={busy}>
          {submit}
        </button>
      </div>
    </form>
  )
}

export interface FiltersProps {
  readonly onInput: (values: Values) => void
  readonly children: ComponentChildren
}

/** Fields that apply as they change. */
export function Filters({ onInput, children }: FiltersProps) {
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

/** A value, with a label if that differs. */
export type Option = string | readonly [value: string, label: string]

function Options({ options, selected }: { readonly options: readonly Option[]; readonly selected?: string }) {
  return options.map((option) => {
    const [value, label] = typeof option === 'string' ? [option, option] : option
    return (
      <option key={value} value={value} selected={value === selected}>
        {label}
      </option>
    )
  })
}

function useField(name: string) {
  const id = useId()
  const rejected = useContext(RejectedField)
  const isRejected = name === rejected.name
  return {
    id,
    name,
    'aria-invalid': isRejected || undefined,
    'aria-describedby': isRejected ? rejected.alertId : undefined,
  }
}

interface FieldProps {
  readonly name: string
  readonly label: string
  /** For a field that the caller controls. */
  readonly value?: string
  readonly defaultValue?: string | undefined
}

export interface SelectFieldProps extends FieldProps {
  readonly options: readonly Option[]
}

export function SelectField({ name, label, options, value, defaultValue = '' }: SelectFieldProps) {
  const field = useField(name)
  return (
    <div class="field">
      <label for={field.id}>{label}</label>
      <select {...field} value={value}>
        <Options options={options} selected={defaultValue} />
      </select>
    </div>
  )
}

/** What the browser expects of a value, and checks before a form is sent. `title` is part of its message. */
export interface Constraints {
  readonly type?: 'text' | 'search' | 'password' | 'number'
  readonly required?: boolean
  readonly inputMode?: 'numeric'
  readonly placeholder?: string
  readonly min?: number
  readonly max?: number
  readonly step?: number | 'any'
  readonly maxLength?: number
  readonly pattern?: string
  readonly title?: string
}

export interface TextFieldProps extends FieldProps, Constraints {
  readonly suggestions?: readonly Option[] | undefined
}

export function TextField({ name, label, suggestions, type = 'text', ...input }: TextFieldProps) {
  const field = useField(name)
  const listId = suggestions && `${field.id}-list`
  return (
    <div class="field">
      <label for={field.id}>{label}</label>
      {/* Preact's types allow `list` for some types of inputs only. */}
      <input {...field} {...input} type={type as 'text'} list={listId} autocomplete="off" spellcheck={false} />
      {suggestions && (
        <datalist id={listId}>
          <Options options={suggestions} />
        </datalist>
      )}
    </div>
  )
}
