import { createContext, type InputHTMLAttributes } from 'preact'
import { useContext, useEffect, useId } from 'preact/hooks'
import { ResponseCode } from './display.js'
import type { Check, Problem } from './problems.js'

interface FormState {
  /** What is wrong with the fields. */
  readonly problems: readonly Problem[]
  /** The checks of the fields by name. Each field adds its own. */
  readonly checks: Map<string, Check>
}

export const FormContext = createContext<FormState>({ problems: [], checks: new Map() })

/** What is expected of a value. It is checked before a form is sent. */
export interface Constraints
  extends Pick<
    InputHTMLAttributes,
    'type' | 'required' | 'inputMode' | 'placeholder' | 'min' | 'max' | 'step' | 'maxLength'
  > {
  check?: Check
}

/** A value, or a value and its label. */
export type Option = string | readonly [value: string, label: string]

interface FieldProps extends Constraints {
  name: string
  label: string
  /** Whether to say that it may be left empty. */
  optional?: boolean
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

export function Field(props: FieldProps) {
  const { name, label, optional = false, check, options, suggestions, rows, type = 'text', ...input } = props
  const id = useId()
  const listId = suggestions && `${id}-list`
  const problemId = `${id}-problem`
  const problem = useProblem(name, check)
  const shared = {
    id,
    name,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': problem && problemId,
  }
  return (
    <div class="field">
      <label for={id}>{optional ? `${label} (optional)` : label}</label>
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
      {problem && (
        <p id={problemId} class="problem">
          {label}: {problem.text}
          <ResponseCode failure={problem.failure} />
        </p>
      )}
    </div>
  )
}

/** Adds the check of a field to its form. Returns what is wrong with the field. */
function useProblem(name: string, check: Check | undefined): Problem | undefined {
  const { problems, checks } = useContext(FormContext)
  useEffect(() => {
    if (check === undefined) return
    checks.set(name, check)
    return () => void checks.delete(name)
  }, [checks, name, check])
  return problems.find(({ field }) => field === name)
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
