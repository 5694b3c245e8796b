/** A date for people, such as 5 December 2030. Any other text stays as it is. */
export function longDate(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}
