/** What may take more than one byte. Finding out costs a fraction of counting. */
const BEYOND_ASCII = /[^ -~]/

const encoder = new TextEncoder()

/** How many bytes a text takes in UTF-8. */
export function utf8Length(text: string): number {
  return BEYOND_ASCII.test(text) ? encoder.encode(text).length : text.length
}
