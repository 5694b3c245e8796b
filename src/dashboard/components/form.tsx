import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Run, useAction } from '../action.js'
import type { ApiFailure } from '../api.js'
import { toProblem } from '../rejections.js'
import { Alert, Button } from './display.js'
import { FormContext } from './field.js'
import { type Check, findProblems, type Problem, readValues, type Values } from './problems.js'

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
