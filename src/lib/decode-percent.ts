import { orElse } from './or-else.js'

/** A text that cannot be decoded stays as it is. */
export function decodePercent(text: string): string {
  return text.includes('%') ? orElse(() => decodeURIComponent(text), text) : text
}
