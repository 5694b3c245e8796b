/** A Markdown table. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|')
}

/** The items with the same key together, in the order of the first of each. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}

/** Joins the lines of a text. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ')
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ')
}

/** A page, with a comment that says what it is generated from. */
export function generatedPage(
  title: string,
  origin: string,
  ...parts: readonly (string | readonly string[])[]
): string {
  const comment = `<!-- Generated from ${origin} by \`npm run generate\`. Do not edit. -->`
  return page(`# ${title}`, comment, ...parts)
}

/** Joins the parts of a page with empty lines. */
function page(...parts: readonly (string | readonly string[])[]): string {
  const texts = parts.flat().filter((part) => part !== '')
  return `${texts.join('\n\n')}\n`
}
