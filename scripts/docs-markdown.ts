/** A table as Markdown writes it. A column without a heading is one that explains itself. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|')
}

/** A text that was broken into lines, as one. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ')
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ')
}

/** The parts of a page, with an empty line between two. */
export function page(...parts: readonly (string | readonly string[])[]): string {
  const texts = parts.flat().filter((part) => part !== '')
  return `${texts.join('\n\n')}\n`
}
