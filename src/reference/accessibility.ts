/**
 * Makes Swagger UI's markup accessible: names its fields and lets the keyboard reach its scrollable code. Swagger UI has
 * no options for this, so its markup is changed as it appears.
 */
export function keepAccessible(root: HTMLElement): void {
  fix(root)
  new MutationObserver(() => fix(root)).observe(root, { childList: true, subtree: true })
}

const FIELDS = 'select, textarea, input:not([type=checkbox], [type=radio])'

function fix(root: HTMLElement): void {
  for (const field of root.querySelectorAll<HTMLElement>(FIELDS)) {
    if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', labelOf(field))
  }
  for (const button of root.querySelectorAll('.model-box-control')) {
    if (button.textContent === '') button.setAttribute('aria-label', 'Show or hide the fields')
  }
  for (const code of root.querySelectorAll<HTMLElement>('pre.microlight')) code.tabIndex = 0
  // As a region, it would not be announced as a table.
  for (const table of root.querySelectorAll('table[role=region]')) table.removeAttribute('role')
}

function labelOf(field: HTMLElement): string {
  const parameter = field.closest<HTMLElement>('[data-param-name]')?.dataset.paramName
  if (parameter !== undefined) return parameter
  if (field.matches('.examples-select-element')) return 'Example'
  if (field.matches('.body-param__text')) return 'Request body'
  return field.getAttribute('placeholder') || 'Value'
}
