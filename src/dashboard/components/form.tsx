import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useRef } from 'preact/hooks'
import type { Action } from '../context.js'
import { Alert } from './display.js'

/** The values of a form's fields by name, as text. */
export type Values = Readonly<Record<string, string>>

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
          <button type="button" class="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button type="submit" class={inline ? 'button' : 'button primary'} disabled={busy}>
          {submit}
        </button>
      </div>
    </form>
  )
}

function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries(new FormData(form)) as Values
}

function Field({ id, label, children }: { id: string; label: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
    </div>
  )
}

function useFieldProps(name: string | undefined) {
  const id = useId()
  const rejected = useContext(RejectedField)
  const isRejected = name !== undefined && name === rejected.name
  return {
    id,
    name,
    'aria-invalid': isRejected || undefined,
    'aria-describedby': isRejected ? rejected.alertId : undefined,
  }
}

/** A value, with a label where that differs. */
export type Option = string | readonly [value: string, label: string]

export interface SelectFieldProps {
  readonly label: string
  readonly name?: string
  readonly options: readonly Option[]
  readonly value?: string
  readonly defaultValue?: string | undefined
  readonly onChange?: (value: string) => void
}

export function SelectField({ label, name, options, value, defaultValue, onChange }: SelectFieldProps) {
  const field = useFieldProps(name)
  return (
    <Field id={field.id} label={label}>
      <select {...field} value={value} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map((option) => {
          const [value, label] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={value} value={value} selected={value === defaultValue}>
              {label}
            </option>
          )
        })}
      </select>
    </Field>
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

export interface TextFieldProps extends Constraints {
  readonly label: string
  readonly name?: string
  readonly value?: string
  readonly defaultValue?: string | undefined
  readonly suggestions?: readonly Option[] | undefined
  readonly onInput?: (value: string) => void
}

export function TextField({ label, name, suggestions, onInput, type = 'text', ...input }: TextFieldProps) {
  const field = useFieldProps(name)
  return (
    <Field id={field.id} label={label}>
      <input
        {...field}
        {...input}
        // Preact's types know `list` for some types of inputs only.
        type={type as 'text'}
        list={suggestions && `${field.id}-list`}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onInput?.(event.currentTarget.value)}
      />
      {suggestions && (
        <datalist id={`${field.id}-list`}>
          {suggestions.map((option) => {
            const [value, label] = typeof option === 'string' ? [option, option] : option
            return (
              <option key={value} value={value}>
                {label}
              </option>
            )
          })}
        </datalist>
      )}
    </Field>
  )
}
