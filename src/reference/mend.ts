/**
 * Names what Swagger UI leaves without a name, so that it can be used without seeing it: its fields, and the code that
 * has to be scrolled. It has no place of its own for this, so its markup is mended as it appears.
 */
export function keepMending(root: HTMLElement): void {
  mend(root)
  new MutationObserver(() => mend(root)).observe(root, { childList: true, subtree: true })
}

const FIELDS = 'select, textarea, input:not([type=checkbox], [type=radio])'

function mend(root: HTMLElement): void {
  for (const field of root.querySelectorAll<HTMLElement>(FIELDS)) {
    if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', nameOf(field))
  }
  for (const button of root.querySelectorAll('.model-box-control')) {
    if (button.textContent === '') button.setAttribute('aria-label', 'Show or hide the fields')
  }
  for (const code of root.querySelectorAll<HTMLElement>('pre.microlight')) code.tabIndex = 0
  // A region would no longer be read as the table it is.
  for (const table of root.querySelectorAll('table[role=region]')) table.removeAttribute('role')
}

function nameOf(field: HTMLElement): string {
  const parameter = field.closest<HTMLElement>('[data-param-name]')?.dataset.paramName
  if (parameter !== undefined) return parameter
  if (field.matches('.examples-select-element')) return 'Example'
  if (field.matches('.body-param__text')) return 'Request body'
  return field.getAttribute('placeholder') || 'Value'
}
