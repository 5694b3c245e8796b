/** `shipDate` and `ship_date` become `Ship date`. That of a reference is without its `id`: `authorId` becomes `Author`. */
export function toLabel(name: string, isReference = false): string {
  const words = name.match(/\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{L}+|\p{N}+/gu) ?? [name]
  const label = capitalize(words.join(' ').toLowerCase())
  return isReference ? label.replace(/(?<=.) id$/, '') : label
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** As in error codes: `blog post` becomes `BLOG_POST`. */
export function toCode(noun: string): string {
  return noun.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
}
