/** Testing is much faster than encoding. */
const NOT_ASCII = /[^ -~]/

const encoder = new TextEncoder()

export function utf8Length(text: string): number {
  return NOT_ASCII.test(text) ? encoder.encode(text).length : text.length
}
