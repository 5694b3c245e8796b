import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact'
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ApiFailure } from '../api.js'
import { type Run, useAction } from '../context.js'
import { Alert, Button, ResponseCode } from './display.js'

interface FormProps {
  /** The label of the submit button. */
  submit: string
  /** Puts the fields and the button in a row. */
  inline?: boolean
  /** A failure besides that of `run`. */
  failure?: ApiFailure | undefined
  /** What a failure says about a field. */
  explain?: (failure: ApiFailure) => Problem | undefined
  /** Wrap the request in `run`, and the form shows its failure. */
  onSubmit: (values: Values, run: Run, form: HTMLFormElement) => void
  onInput?: (values: Values) => void
  onCancel?: (() => void) | undefined
  children?: ComponentChildren
}

/**
 * A form that shows what is wrong with a field next to that field, and any other failure above the submit button. Focus moves
 * to the first such field, or to the message.
 */
export function Form({ submit, inline = false, onSubmit, onInput, onCancel, children, ...props }: FormProps) {
  const { explain = toProblem } = props
  const action = useAction()
  const ref = useRef<HTMLFormElement>(null)
  const [checks] = useState(() => new Map<string, Check>())
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const failure = action.failure ?? props.failure

  useLayoutEffect(() => {
    const problem = failure && explain(failure)
    if (problem && findField(ref.current, problem)) setProblems([problem])
  }, [failure])
  useEffect(() => {
    const [problem] = problems
    const target = problem ? findField(ref.current, problem) : ref.current?.querySelector<HTMLElement>('[role=alert]')
    const details = target?.closest('details')
    if (details) details.open = true
    target?.focus()
    target?.parentElement?.scrollIntoView({ block: 'nearest' })
  }, [failure, problems])

  return (
    <form
      ref={ref}
      class={inline ? 'inline' : ''}
      noValidate
      onInput={(event) => onInput?.(readValues(event.currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        if (action.busy) return
        const form = event.currentTarget
        const problems = findProblems(form, checks)
        setProblems(problems)
        if (problems.length === 0) onSubmit(readValues(form), action.run, form)
      }}
    >
      <FormContext.Provider value={{ problems, checks }}>{children}</FormContext.Provider>
      {problems.length === 0 && <Alert failure={failure} />}
      <div class={onCancel ? 'actions end' : 'actions'}>
        {onCancel && <Button text="Cancel" kind="regular" onClick={onCancel} />}
        <button type="submit" class={inline ? 'button' : 'button primary'} aria-disabled={action.busy}>
          {submit}
        </button>
      </div>
    </form>
  )
}

function findField(form: HTMLFormElement | null, { field }: Problem): HTMLElement | undefined {
  const found = form?.elements.namedItem(field)
  return found instanceof HTMLElement ? found : undefined
}

/** Fields that apply as they change. */
export function Filters({ onInput, children }: { onInput: (values: Values) => void; children: ComponentChildren }) {
  return (
    <search class="foldable">
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

interface FormState {
  /** What is wrong with the fields. */
  readonly problems: readonly Problem[]
  /** The checks of the fields by name. Each field adds its own. */
  readonly checks: Map<string, Check>
}

const FormContext = createContext<FormState>({ problems: [], checks: new Map() })

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

export interface FieldProps extends Constraints {
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

/** The values of a form's fields by name, as text. */
export type Values = Readonly<Record<string, string>>

/** What is wrong with a field. */
export interface Problem {
  /** The name of the field. */
  readonly field: string
  /** In the words of the form. Shown after the label of the field. */
  readonly text: string
  /** The response of the mock that says so. */
  readonly failure?: ApiFailure
}

/** Returns what is wrong with a value that is not empty. Shown after the label of the field. */
export type Check = (value: string, values: Values) => string | undefined

function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries(new FormData(form)) as Values
}

/** What is wrong with the fields of a form, as far as the page can tell, from top to bottom. */
function findProblems(form: HTMLFormElement, checks: ReadonlyMap<string, Check>): Problem[] {
  const values = readValues(form)
  return Array.from(form.elements).flatMap((field) => {
    if (!isField(field)) return []
    const { name, value } = field
    const text = findNativeProblem(field) ?? (value === '' ? undefined : checks.get(name)?.(value, values))
    return text === undefined ? [] : { field: name, text }
  })
}

type FieldElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function isField(element: Element): element is FieldElement {
  return element.matches('input, select, textarea')
}

/** The attributes of a field, which browsers check. Their own messages differ between browsers and disappear again. */
function findNativeProblem(field: FieldElement): string | undefined {
  const { validity, type, value } = field
  if (validity.badInput || validity.valueMissing) return MISSING[type] ?? 'enter a value.'
  if (validity.rangeUnderflow || validity.rangeOverflow) return describeRange(field as HTMLInputElement)
  if (validity.stepMismatch) return 'enter a whole number.'
  if (validity.tooLong) return `enter at most ${(field as HTMLInputElement).maxLength} characters.`
  // Browsers accept larger numbers, but round them.
  if (type === 'number' && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER) return 'enter a smaller number.'
  return undefined
}

/** By the type of a field. */
const MISSING: Readonly<Record<string, string>> = {
  'select-one': 'choose one from the list.',
  number: 'enter a number.',
  date: 'enter a date.',
  time: 'enter a time.',
}

function describeRange({ type, min, max }: HTMLInputElement): string {
  const what = type === 'number' ? 'a number' : `a ${type}`
  if (min !== '' && max !== '') return `enter ${what} from ${min} to ${max}.`
  return min === '' ? `enter ${what} up to ${max}.` : `enter ${what} of ${min} or more.`
}

/** The field and the text for an error code of the mock. Its message is about JSON, not about a form. */
export type Rejections = Readonly<Record<string, readonly [field: string, text: string]>>

/** What only the mock knows when a form is sent. */
const REJECTIONS: Rejections = {
  UNAUTHORIZED: ['token', 'this is not the token of the mock.'],
  UNKNOWN_OPERATION: ['operation', 'choose one from the list.'],
  UNKNOWN_SCENARIO: ['scenario', 'choose one from the list.'],
}

/** What is wrong with a form by the error code alone, or undefined if the code says nothing about a field. */
export function toProblem(failure: ApiFailure, more: Rejections = {}): Problem | undefined {
  const [field, text] = more[failure.code] ?? REJECTIONS[failure.code] ?? []
  return field === undefined || text === undefined ? undefined : { field, text, failure }
}
