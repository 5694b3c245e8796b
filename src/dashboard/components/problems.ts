import type { ApiFailure } from '../api.js'

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

export function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries(new FormData(form)) as Values
}

/** What is wrong with the fields of a form, as far as the page can tell, from top to bottom. */
export function findProblems(form: HTMLFormElement, checks: ReadonlyMap<string, Check>): Problem[] {
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
