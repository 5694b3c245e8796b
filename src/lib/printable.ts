/** Replaces characters that could break the line or control the terminal, and shortens the text. */
export function printable(text: string, maxLength = 300): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean
}
