import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** What ties an input to its label, its hint and what is wrong with it. */
export interface Ties {
  readonly id: string
  readonly 'aria-invalid': boolean | undefined
  readonly 'aria-describedby': string | undefined
}

export interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  readonly wide?: boolean
  readonly children: (ties: Ties) => ComponentChildren
}

function Field({ label, hint, problem, wide = false, children }: FieldProps) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div class={wide ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem === undefined ? undefined : true,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
      })}
      {note !== undefined && (
        <p id={`${id}-note`} class={problem === undefined ? 'hint' : 'problem'} role={problem ? 'alert' : undefined}>
          {note}
        </p>
      )}
    </div>
  )
}

export interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  readonly wide?: boolean
  readonly onChange: (value: string) => void
}

export function Choice({ value, options, onChange, ...field }: ChoiceProps) {
  return (
    <Field {...field}>
      {(ties) => (
        <select {...ties} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map(([option, label]) => (
            <option key={option} value={option} selected={option === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export interface TextProps {
  readonly label: string
  readonly value: string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  readonly wide?: boolean
  readonly placeholder?: string
  readonly type?: 'text' | 'search' | 'password'
  readonly numeric?: boolean
  /** Values to choose from, besides any other. */
  readonly suggestions?: readonly (readonly [value: string, label: string])[] | undefined
  readonly onInput: (value: string) => void
}

export function Text({ value, onInput, placeholder, type = 'text', numeric, suggestions, ...field }: TextProps) {
  return (
    <Field {...field}>
      {(ties) => (
        <>
          <input
            {...ties}
            // Preact ties `list` to some types of inputs; the others pass it over.
            type={type as 'text'}
            value={value}
            placeholder={placeholder}
            inputMode={numeric ? 'numeric' : 'text'}
            list={suggestions && `${ties.id}-list`}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          {suggestions && (
            <datalist id={`${ties.id}-list`}>
              {suggestions.map(([option, label]) => (
                <option key={option} value={option}>
                  {label}
                </option>
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  )
}
