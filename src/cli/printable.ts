const MAX_PRINTED = 300

/** What somebody else sends must neither break a line nor steer the terminal. */
export function printable(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
  return clean.length > MAX_PRINTED ? `${clean.slice(0, MAX_PRINTED)}…` : clean
}
